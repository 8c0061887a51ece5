// Access to other clients' requests and metrics: without keys any client has it, otherwise keys with `admin`.

import { ApiError } from '@dragoman/core';
import type { AppContext } from './app.js';
import { appRequestOf } from './app-request.js';

export async function admitAdmin(request: Request, context: AppContext): Promise<void> {
  const key = await context.plan().admit(appRequestOf(request), context);
  if (!key || key.admin) return;
  const message =
    'This key may use models, but not read requests and metrics of other clients: that needs `admin: true` in the configuration.';
  throw new ApiError('forbidden', message);
}
