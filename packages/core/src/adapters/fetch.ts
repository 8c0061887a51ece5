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

export function dragoman(options: FetchOptions = {}): Fetch {
  const { upstream } = options;
  const fixed = upstream && createResponder({ ...options, upstream });
  const byAddress = new Map<string, Responder>();
  return async (input, init) => {
    const request = new Request(input, init);
    if (fixed) return fixed(request);
    const found = pointedAt(request);
    // Nothing of ours (a list of models, files): as if nobody stood between.
    if (!found) return fetch(request);
    const known = `${found.api} ${found.url} ${found.key ?? ''}`;
    const responder = byAddress.get(known) ?? createResponder({ ...options, upstream: found });
    byAddress.set(known, responder);
    return responder(request);
  };
}

/** The upstream that the client itself points at. */
function pointedAt(request: Request): UpstreamOptions | undefined {
  const url = new URL(request.url);
  const end = ends.find(([path]) => url.pathname.endsWith(path));
  if (!end) return undefined;
  const root = url.pathname.slice(0, -end[0].length);
  const key =
    request.headers.get('x-api-key') ?? request.headers.get('authorization')?.replace(/^Bearer /, '');
  return { url: url.origin + root, api: end[1], ...(key && { key }) };
}
