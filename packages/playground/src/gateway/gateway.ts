// Requests to the gateway that serves the page, and to no other address.

import type { JsonValue } from '@dragoman/core';
import type { ExchangeRecord, ExchangeSummary, InspectorEvent } from '@dragoman/gateway';
import type { VerifyEvent } from '@dragoman/verify';
import { createParser } from 'eventsource-parser';
import { messageIn, noGateway, Trouble, troubleOf } from './trouble.js';

export interface GatewayOptions {
  /** The address of the page. */
  base: string;
  /** Called for each request. '' sends no key. */
  key: () => string;
  fetch?: typeof fetch;
}

export interface ExchangeList {
  /** How many the gateway keeps. */
  keep: number;
  exchanges: ExchangeSummary[];
}

export interface ListedModel {
  id: string;
}

export interface VerifyRequest {
  model: string;
  suite: 'quick' | 'full';
  /** The name of an API. Absent: the gateway's first. */
  api?: string;
}

interface ChatOptions {
  /** The exchange's id in the inspector. */
  id: string;
  signal: AbortSignal;
}

interface LiveOptions {
  /** Events of this exchange only. */
  id?: string;
  /** `list`: events that change the list of exchanges, without any content. */
  only?: 'list';
  signal: AbortSignal;
}

export type GatewayClient = ReturnType<typeof createGateway>;

export function createGateway({ base, key, fetch = globalThis.fetch }: GatewayOptions) {
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
    models: async () => (await json<{ data?: ListedModel[] }>('v1/models')).data ?? [],
    exchanges: () => json<ExchangeList>('inspector/exchanges'),
    exchange: (id: string) => json<ExchangeRecord>(`inspector/exchanges/${encodeURIComponent(id)}`),
    /** Gives the chunks of a streamed answer as they arrive. Throws Trouble, also for an error inside the stream. */
    async *chat(body: object, { id, signal }: ChatOptions): AsyncGenerator<JsonValue> {
      const headers = { 'content-type': 'application/json', 'x-request-id': id };
      const init = { method: 'POST', body: JSON.stringify(body), headers, signal };
      yield* chunksOf(await ask('v1/chat/completions', init));
    },
    /** Gives the events of a verification as they come. Throws Trouble if it cannot be done. */
    async *verify(body: VerifyRequest, signal: AbortSignal): AsyncGenerator<VerifyEvent> {
      const headers = { 'content-type': 'application/json' };
      const response = await ask('verify', { method: 'POST', body: JSON.stringify(body), headers, signal });
      for await (const data of eventsOf(response)) {
        const event = JSON.parse(data) as VerifyEvent | { type: 'failed'; message: string };
        if (event.type === 'failed') throw new Trouble('refused', event.message);
        yield event;
      }
    },
    /** Resolves when the stream is open; it gives every event from then on. */
    live: async ({ id, only, signal }: LiveOptions) => {
      const query = new URLSearchParams({ ...(id !== undefined && { id }), ...(only && { only }) });
      return liveOf(await ask(`inspector/events?${query}`, { signal }));
    },
  };
}

async function* chunksOf(response: Response): AsyncGenerator<JsonValue> {
  let over = false;
  for await (const data of eventsOf(response)) {
    // Read to the end: to leave before would look like an aborted request.
    if (data === '[DONE]') over = true;
    if (over) continue;
    const message = messageIn(data);
    if (message !== undefined) throw new Trouble('refused', message);
    yield JSON.parse(data) as JsonValue;
  }
  if (over) return;
  throw new Trouble('broken', 'The answer broke off: the gateway ended the stream without its last event.');
}

async function* liveOf(response: Response): AsyncGenerator<InspectorEvent> {
  for await (const data of eventsOf(response)) yield JSON.parse(data) as InspectorEvent;
}

/** Gives the data of the events of a response while it arrives. Leaving the loop ends the request. */
async function* eventsOf({ headers, body }: Response): AsyncGenerator<string> {
  if (!body || !headers.get('content-type')?.startsWith('text/event-stream')) throw noGateway();
  const reader = body.getReader();
  const utf8 = new TextDecoder();
  const read: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => read.push(data) });
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      parser.feed(utf8.decode(next.value, { stream: true }));
      yield* read.splice(0);
    }
  } finally {
    // Fails if the request was aborted before.
    await reader.cancel().catch(() => undefined);
  }
}
