// Access to other clients' requests and metrics: without keys any client has it, otherwise keys with `admin`.

import { ApiError } from '@dragoman/core';
import { errorResponse } from '@dragoman/core/bridge';
import type { AppContext } from './app.js';
import { appRequestOf } from './app-request.js';
import type { Client } from './plan.js';

/** Answers a request with a valid key; an error, in the shape of the API at `path`. */
export async function answerAdmitted(
  request: Request,
  context: AppContext,
  answer: (key: Client | undefined) => Response | Promise<Response>,
  path = request.url,
): Promise<Response> {
  try {
    return await answer(await context.plan().admit(appRequestOf(request), context));
  } catch (error) {
    return errorResponse(path, error, context.wires);
  }
}

export function answerAdmin(
  request: Request,
  context: AppContext,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  return answerAdmitted(request, context, (key) => {
    if (!key || key.admin) return answer();
    const message =
      'This key may use models, but not read requests and metrics of other clients: that needs `admin: true` in the configuration.';
    throw new ApiError('forbidden', message);
  });
}
