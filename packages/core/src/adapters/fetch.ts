// @dragoman/core/fetch: a `fetch` for the official clients that does everything in process.
//
//   new OpenAI({ baseURL: 'http://localhost:11434/v1', apiKey: 'x', fetch: dragoman({ dialect: 'glm-4.5' }) })
//   new Anthropic({ apiKey: 'x', fetch: dragoman({ upstream: { url: 'http://localhost:11434/v1' } }) })
//
// Without an `upstream`, the model is where the client points: same address, same key, same API.

import {
  createResponder,
  type Responder,
  type ResponderOptions,
  type UpstreamOptions,
} from '../bridge/index.js';
import type { ApiName } from '../model/index.js';

export interface FetchOptions extends Omit<ResponderOptions, 'upstream'> {
  upstream?: ResponderOptions['upstream'];
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

const ends: readonly [end: string, api: ApiName][] = [
  ['/chat/completions', 'openai-chat'],
  ['/responses', 'openai-responses'],
  ['/messages', 'anthropic-messages'],
  ['/messages/count_tokens', 'anthropic-messages'],
];

/** Headers of a client that belong to its key: passed on to where the client points, and nowhere else. */
const accountHeaders = ['api-key', 'openai-organization', 'openai-project', 'anthropic-beta'];

/** Keys change, so clients are not kept without end. */
const MOST_CLIENTS = 100;

export function dragoman(options: FetchOptions = {}): Fetch {
  const { upstream } = options;
  const fixed = upstream && createResponder({ ...options, upstream });
  const byAddress = new Map<string, Responder>();
  return async (input, init) => {
    if (fixed) return fixed(new Request(input, init));
    // Nothing of ours (a list of models, files): as if nobody stood between.
    if (!isOurs(input, init)) return fetch(input, init);
    const request = new Request(input, init);
    const found = pointedAt(request);
    const known = JSON.stringify(found);
    const responder = byAddress.get(known) ?? createResponder({ ...options, upstream: found });
    if (byAddress.size >= MOST_CLIENTS) byAddress.clear();
    byAddress.set(known, responder);
    return responder(request);
  };
}

function isOurs(input: string | URL | Request, init: RequestInit = {}): boolean {
  const { url, method = 'GET' } = input instanceof Request ? input : { url: String(input) };
  const { pathname } = new URL(url, 'http://relative.invalid');
  return (init.method ?? method).toUpperCase() === 'POST' && ends.some(([path]) => pathname.endsWith(path));
}

/** The upstream that the client itself points at. */
function pointedAt({ url: address, headers }: Request): UpstreamOptions {
  const url = new URL(address);
  const [end, api] = ends.find(([path]) => url.pathname.endsWith(path)) as (typeof ends)[number];
  const root = url.pathname.slice(0, -end.length);
  const key = headers.get('x-api-key') ?? keyIn(headers.get('authorization'));
  const account = accountHeaders.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return {
    url: url.origin + root + url.search,
    api,
    ...(key && { key }),
    ...(account.length > 0 && { headers: Object.fromEntries(account) }),
  };
}

function keyIn(authorization: string | null): string | undefined {
  return authorization?.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : undefined;
}
