// The gateway that serves the page. Every request goes to the page's own address and nowhere else.

import type { JsonValue } from '@dragoman/core';
import type { ExchangeRecord, ExchangeSummary, LiveEvent, Model } from './shapes.js';
import { eventsOf } from './sse.js';
import { messageIn, noGateway, Trouble, troubleOf } from './trouble.js';

export interface GatewayOptions {
  /** The address of the page. */
  base: string;
  /** Asked with each request. '' sends none. */
  key: () => string;
  fetch?: typeof fetch;
}

interface ChatOptions {
  /** By which the inspector knows the exchange. */
  id: string;
  signal: AbortSignal;
}

interface LiveOptions {
  /** One exchange only. */
  id?: string;
  /** `list`: what changes the list, and nothing that was said. */
  only?: 'list';
  signal: AbortSignal;
}

export interface Gateway {
  models(): Promise<Model[]>;
  /** The chunks of a streamed answer, as they arrive. Throws Trouble, also for an error inside the stream. */
  chat(body: object, options: ChatOptions): AsyncGenerator<JsonValue>;
  exchanges(): Promise<{ keep: number; exchanges: ExchangeSummary[] }>;
  exchange(id: string): Promise<ExchangeRecord>;
  /** Settles when the stream is open: what happens from then on is told. */
  live(options: LiveOptions): Promise<AsyncGenerator<LiveEvent>>;
}

export function createGateway({ base, key, fetch = globalThis.fetch }: GatewayOptions): Gateway {
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (key() !== '') headers.set('authorization', `Bearer ${key()}`);
    const response = await fetch(new URL(path, base), { cache: 'no-store', ...init, headers }).catch(
      (error: unknown) => {
        throw init.signal?.aborted ? error : noGateway();
      },
    );
    if (!response.ok) throw troubleOf(path, response.status, await response.text());
    return response;
  };
  const json = async <T>(path: string): Promise<T> => {
    const response = await ask(path);
    // A server of plain files may answer everything with its first page.
    return response.json().catch(() => {
      throw noGateway();
    });
  };
  return {
    models: async () => (await json<{ data?: Model[] }>('v1/models')).data ?? [],
    exchanges: () => json('inspector/exchanges'),
    exchange: (id) => json(`inspector/exchanges/${encodeURIComponent(id)}`),
    async *chat(body, { id, signal }) {
      const headers = { 'content-type': 'application/json', 'x-request-id': id };
      const init = { method: 'POST', body: JSON.stringify(body), headers, signal };
      yield* chunksOf(await ask('v1/chat/completions', init));
    },
    live: async ({ id, only, signal }) => {
      const query = new URLSearchParams({ ...(id !== undefined && { id }), ...(only && { only }) });
      return liveOf(await ask(`inspector/events?${query}`, { signal }));
    },
  };
}

async function* chunksOf(response: Response): AsyncGenerator<JsonValue> {
  let over = false;
  for await (const { data } of eventsOf(bodyOf(response))) {
    // Read to its end: leaving before would look as if the page had given up.
    if (data === '[DONE]') over = true;
    if (over) continue;
    const message = messageIn(data);
    if (message !== undefined) throw new Trouble('refused', message);
    yield JSON.parse(data) as JsonValue;
  }
  if (over) return;
  throw new Trouble('broken', 'The answer broke off: the gateway ended it without saying that it is over.');
}

async function* liveOf(response: Response): AsyncGenerator<LiveEvent> {
  for await (const { data } of eventsOf(bodyOf(response))) yield JSON.parse(data) as LiveEvent;
}

function bodyOf(response: Response): ReadableStream<Uint8Array> {
  const stream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (!stream || !response.body) throw noGateway();
  return response.body;
}
