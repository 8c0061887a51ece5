// Who may see what others said and did. Where nobody needs a key, whoever may ask; else keys that are told so.

import { ApiError } from '@dragoman/core';
import type { Surroundings } from './app.js';
import { askedOf } from './asked.js';

export async function admitAdmin(request: Request, around: Surroundings): Promise<void> {
  const key = await around.plan().admit(askedOf(request), around);
  if (!key || key.admin) return;
  const message =
    'This key may ask models, and not see what others do: that needs `admin: true` in the configuration.';
  throw new ApiError('forbidden', message);
}
