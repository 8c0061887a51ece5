// Cross-origin requests (CORS): pages of other origins are refused, unless they are listed. Otherwise any page could make
// a visitor's browser send requests to loopback, some of them without a preflight. The gateway uses no cookies, so
// credentials are never allowed.

import type { Reply } from '@dragoman/core/bridge';
import type { AppRequest } from './app-request.js';

export interface CrossOrigin {
  /** Gives a refusal, or the reply to a preflight. Undefined: the request goes on. */
  refuse(request: AppRequest): Reply | undefined;
  /** Gives the headers that let a page of a listed origin read the answer. */
  headersFor(request: AppRequest): Record<string, string>;
}

const readable = 'retry-after, x-dragoman, x-request-id, x-should-retry';
const methods = 'DELETE, GET, POST';

export function createCrossOrigin(listed: readonly string[]): CrossOrigin {
  const known = new Set(listed.map((origin) => origin.toLowerCase()));
  const mayAsk = (origin: string) => known.has(origin.toLowerCase());
  return {
    refuse(request) {
      const origin = request.header('origin');
      if (origin === null || isOwn(origin, request)) return undefined;
      if (!mayAsk(origin)) return refusal();
      return isPreflight(request) ? preflight(origin, request) : undefined;
    },
    headersFor(request) {
      if (known.size === 0) return {};
      const origin = request.header('origin');
      if (origin === null || !mayAsk(origin)) return { vary: 'origin' };
      return {
        vary: 'origin',
        'access-control-allow-origin': origin,
        'access-control-expose-headers': readable,
      };
    },
  };
}

/** Whether this gateway served the page. The host was checked before. */
function isOwn(origin: string, request: AppRequest): boolean {
  const host = request.header('host');
  return origin === `http://${host}` || origin === `https://${host}`;
}

function isPreflight({ method, header }: AppRequest): boolean {
  return method === 'OPTIONS' && header('access-control-request-method') !== null;
}

function preflight(origin: string, { header }: AppRequest): Reply {
  const wanted = header('access-control-request-headers');
  return {
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': methods,
      // Any header is allowed: clients send many of their own.
      ...(wanted !== null && { 'access-control-allow-headers': wanted }),
      'access-control-max-age': '600',
      vary: 'origin, access-control-request-headers',
    },
    body: '',
  };
}

function refusal(): Reply {
  const body =
    'Requests from pages of this origin are not allowed: add it to `origins` in the configuration.\n';
  return { status: 403, headers: { 'content-type': 'text/plain;charset=UTF-8' }, body };
}
