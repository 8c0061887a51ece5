// How the gateway reaches its upstreams: a pool of kept connections for each, and of `fetch` only what is needed.
// The global fetch costs several times as much a request.

import { type Dispatcher, Pool } from 'undici';
import type { UpstreamConfig } from '../config/config.js';

export interface UpstreamPool {
  fetch: typeof fetch;
  /** Keeps no connection from now on, but serves exchanges that still run. */
  retire(): void;
  close(): Promise<void>;
}

/** Milliseconds that an idle connection is kept. */
const KEPT = 60_000;

export function createUpstreamPool({ url, connections, timeouts }: UpstreamConfig): UpstreamPool {
  const create = (keepAliveTimeout: number) =>
    new Pool(new URL(url ?? '').origin, {
      connections,
      connect: { timeout: timeouts.connect },
      // Those that matter are counted by the bridge, which knows who waits for whom.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout,
    });
  let pool = create(KEPT);
  return {
    fetch: (input, init) => send(pool, String(input), init),
    retire() {
      // Closes when the answers on it are over. A model that is asked again meanwhile is asked elsewhere.
      pool.close().catch(() => {});
      pool = create(1);
    },
    close: () => pool.destroy(),
  };
}

async function send(pool: Pool, url: string, init: RequestInit = {}): Promise<Response> {
  const { pathname, search } = new URL(url);
  const { statusCode, headers, body } = await pool.request({
    path: pathname + search,
    method: (init.method ?? 'GET') as Dispatcher.HttpMethod,
    headers: init.headers as Record<string, string>,
    body: init.body as string,
    signal: init.signal ?? null,
  });
  return new Response(noBody(statusCode) ? null : toWeb(body), {
    status: statusCode,
    headers: plainHeaders(headers),
  });
}

const noBody = (status: number) => status === 204 || status === 205 || status === 304;

/** Read piece by piece, as fast as someone asks; leaving ends the connection. */
function toWeb(body: Dispatcher.ResponseData['body']): ReadableStream<Uint8Array> {
  const iterator: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel() {
        body.on('error', () => {}).destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Hop-by-hop headers say nothing to whoever reads the answer. */
function plainHeaders(headers: Record<string, string | string[] | undefined>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name === 'connection' || name === 'transfer-encoding'
      ? []
      : [value].flat().map((one): [string, string] => [name, one]),
  );
}
