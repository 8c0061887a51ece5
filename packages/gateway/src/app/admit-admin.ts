// Who may see what others said and did. Where nobody needs a key, whoever may ask; else keys that are told so.

import { ApiError } from '@dragoman/core';
import type { AppContext } from './app.js';
import { appRequestOf } from './app-request.js';

export async function admitAdmin(request: Request, context: AppContext): Promise<void> {
  const key = await context.plan().admit(appRequestOf(request), context);
  if (!key || key.admin) return;
  const message =
    'This key may ask models, and not see what others do: that needs `admin: true` in the configuration.';
  throw new ApiError('forbidden', message);
}
