// @dragoman/core/fetch: a `fetch` for the official clients, which adds tool calls in process.
//
//   new OpenAI({ baseURL: 'http://localhost:11434/v1', apiKey: 'x', fetch: dragoman({ dialect: 'glm-4.5' }) })
//   new Anthropic({ apiKey: 'x', fetch: dragoman({ upstream: { url: 'http://localhost:11434/v1' } }) })
//
// Without an `upstream`, the request goes where the client sends it: same address, same key, same API.

import {
  createResponder,
  type Responder,
  type ResponderOptions,
  type UpstreamOptions,
} from '../bridge/index.js';
import { routeAt, routesOf, sentKey, type Wire, type WireRoute, wires } from '../wire/index.js';

export interface FetchOptions extends Omit<ResponderOptions, 'upstream'> {
  upstream?: ResponderOptions['upstream'];
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** How many clients are remembered: bounded, since keys change. */
const MOST_CLIENTS = 100;

export function dragoman(options: FetchOptions = {}): Fetch {
  const { upstream } = options;
  const spoken = options.wires ?? wires;
  const routes = routesOf(spoken);
  const fixed = upstream && createResponder({ ...options, upstream });
  const byAddress = new Map<string, Responder>();
  return async (input, init) => {
    if (fixed) return fixed(new Request(input, init));
    const route = routeFor(input, init, routes);
    // Other requests (a list of models, files) pass unchanged.
    if (!route) return fetch(input, init);
    const request = new Request(input, init);
    const found = pointedAt(request, route, spoken);
    const known = JSON.stringify({ ...found, api: route.wire.name });
    const responder = byAddress.get(known) ?? createResponder({ ...options, upstream: found });
    if (byAddress.size >= MOST_CLIENTS) byAddress.clear();
    byAddress.set(known, responder);
    return responder(request);
  };
}

function routeFor(
  input: string | URL | Request,
  init: RequestInit = {},
  routes: readonly WireRoute[],
): WireRoute | undefined {
  const { url, method = 'GET' } = input instanceof Request ? input : { url: String(input) };
  if ((init.method ?? method).toUpperCase() !== 'POST') return undefined;
  return routeAt(new URL(url, 'http://relative.invalid').pathname, routes);
}

/** Gives the upstream at the address that the client requested. */
function pointedAt(
  { url: address, headers }: Request,
  { path, wire }: WireRoute,
  spoken: readonly Wire[],
): UpstreamOptions {
  const url = new URL(address);
  const key = sentKey((name) => headers.get(name), spoken);
  const account = spoken.flatMap(({ auth }) =>
    auth.accountHeaders.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  return {
    url: url.origin + url.pathname.slice(0, -path.length) + url.search,
    api: wire,
    ...(key && { key }),
    ...(account.length > 0 && { headers: Object.fromEntries(account) }),
  };
}
