// The id of a request in logs, traces and answers.

import { newId } from '@dragoman/core/bridge';

const MAX_LENGTH = 128;

/** The client's `x-request-id` if it is valid, else a new id. */
export function requestId(given?: string | null): string {
  return isSane(given) ? given : newId('req_');
}

/** Letters, digits, `_`, `.` and `-`: nothing that means something in a log, a header or an address. */
function isSane(id: string | null | undefined): id is string {
  if (!id || id.length > MAX_LENGTH) return false;
  for (let at = 0; at < id.length; at++) if (!isIdCode(id.charCodeAt(at))) return false;
  return true;
}

function isIdCode(code: number): boolean {
  const digit = code >= 0x30 && code <= 0x39;
  const letter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
  return digit || letter || code === 0x5f || code === 0x2e || code === 0x2d;
}
