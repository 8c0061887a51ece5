// The id of a request in logs, traces and answers.

import { newId } from '@dragoman/core/bridge';

/** Letters, digits, `_`, `.` and `-`: nothing that means something in a log, a header or an address. */
const valid = /^[A-Za-z0-9_.-]{1,128}$/;

/** The client's `x-request-id` if it is valid, else a new id. */
export function requestId(given?: string | null): string {
  return given && valid.test(given) ? given : newId('req_');
}
