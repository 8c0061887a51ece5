// Another thread that answers large requests, so that no other request waits for them.

import type { ApiError } from '@dragoman/core';
import type { Reply } from '@dragoman/core/bridge';
import type { AppRequest } from './app-request.js';
import type { RequestBody } from './request-body.js';

export interface RequestLane {
  /** False where there is no such thread: then every request is answered in this one. */
  readonly isOpen: boolean;
  /** Takes the bytes of the body. The lane logs and measures the request itself. Throws an ApiError if the thread ends. */
  answer(request: AppRequest, body: Pick<RequestBody, 'segments'>): Promise<Reply>;
  /** Ends all running requests, with an error in their streams. */
  abort(reason: ApiError): void;
}
