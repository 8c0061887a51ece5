// What can go wrong between the page and its gateway, as sentences: what was found, and what to do.

import { isObject } from '@dragoman/core/internal';

export type TroubleKind =
  | 'no-gateway' // nothing answers, or something that is no gateway
  | 'key' // a key is needed, or another
  | 'admin' // the key may use models, but not read requests of other clients
  | 'off' // the inspector is off
  | 'gone' // an exchange that is not kept any more
  | 'refused' // the gateway said no, and why
  | 'broken'; // an answer that broke off

export class Trouble extends Error {
  override readonly name = 'Trouble';

  constructor(
    readonly kind: TroubleKind,
    message: string,
    /** What to do about it. */
    readonly advice = adviceOf[kind],
  ) {
    super(message);
  }
}

const adviceOf: Record<TroubleKind, string> = {
  'no-gateway': 'Start one with `dragoman serve --demo --inspect 50`, and open the address it prints.',
  key: 'Enter a key of this gateway above. It stays in this tab, and is never part of a link.',
  admin: 'Enter another key above, or let this one see it.',
  off: 'Start the gateway with `--inspect 50`, or write `inspect: 50` in its configuration.',
  gone: 'The gateway keeps the last ones only. Choose another from the list.',
  refused: '',
  broken: 'Try it again.',
};

export const noGateway = () =>
  new Trouble('no-gateway', 'This view asks the gateway that serves the page, and none answers here.');

/** What a response that is not good means. `text` is its body. */
export function troubleOf(path: string, status: number, text: string): Trouble {
  const inspector = path.startsWith('inspector/');
  const message = messageIn(text);
  if (message === undefined) {
    // A gateway says no in JSON, and once in plain text: for a host name it does not know.
    return status === 403 && !text.trimStart().startsWith('<')
      ? new Trouble('refused', text.trim())
      : noGateway();
  }
  if (status === 401) return new Trouble('key', message);
  if (status === 403 && inspector) return new Trouble('admin', message);
  if (status !== 404 || !inspector) return new Trouble('refused', message);
  return path.startsWith('inspector/exchanges/')
    ? new Trouble('gone', 'This exchange is not kept any more.')
    : new Trouble('off', 'The inspector of this gateway is off.');
}

/** The message of an error in JSON; undefined where the text is no such thing. */
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

/** Whatever was thrown, as trouble. A request that was stopped is none: undefined. */
export function toTrouble(error: unknown): Trouble | undefined {
  if (error instanceof Trouble) return error;
  if (error instanceof DOMException && error.name === 'AbortError') return undefined;
  return new Trouble('broken', 'The gateway went away before the answer was complete.');
}
