// Errors between the page and its gateway, in sentences: what was found, and what to do.

import { isObject } from '@dragoman/core/internal';
import { words } from '../words/words.js';

export type TroubleKind =
  | 'no-gateway' // no answer, or not that of a gateway
  | 'key' // a key is missing or wrong
  | 'admin' // the key may use models, but not read requests of other clients
  | 'off' // the inspector is off
  | 'gone' // the exchange is no longer kept
  | 'refused' // the gateway refused the request, with its reason
  | 'broken'; // the answer broke off

export class Trouble extends Error {
  override readonly name = 'Trouble';

  constructor(
    readonly kind: TroubleKind,
    message: string,
    /** What to do about it. */
    readonly advice = words().gateway.advice[kind],
  ) {
    super(message);
  }
}

export const noGateway = () => new Trouble('no-gateway', words().gateway.found.noGateway);

/** Turns an HTTP error into trouble. `text` is the body of the response. */
export function troubleOf(path: string, status: number, text: string): Trouble {
  const inspector = path.startsWith('inspector/');
  const message = messageIn(text);
  if (message === undefined) {
    // A gateway sends errors as JSON, except for a host name it does not know: that one is plain text.
    return status === 403 && !text.trimStart().startsWith('<')
      ? new Trouble('refused', text.trim())
      : noGateway();
  }
  if (status === 401) return new Trouble('key', message);
  if (status === 403 && inspector) return new Trouble('admin', message);
  if (status !== 404 || !inspector) return new Trouble('refused', message);
  return path.startsWith('inspector/exchanges/')
    ? new Trouble('gone', words().gateway.found.gone)
    : new Trouble('off', words().gateway.found.off);
}

/** Gives the message of an error in JSON; undefined for any other text. */
export function messageIn(text: string): string | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  const error = isObject(body) ? body.error : undefined;
  if (typeof error === 'string') return error;
  return isObject(error) && typeof error.message === 'string' ? error.message : undefined;
}

/** Turns anything thrown into trouble; undefined for an aborted request. */
export function toTrouble(error: unknown): Trouble | undefined {
  if (error instanceof Trouble) return error;
  if (error instanceof DOMException && error.name === 'AbortError') return undefined;
  return new Trouble('broken', words().gateway.found.broken);
}
