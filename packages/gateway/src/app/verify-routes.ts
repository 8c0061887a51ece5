// POST /verify: tests the tool calling of a model of this gateway, for the page. The answer is a stream of the events of
// `verifyByWire`. Its requests take the same way as a client's, with the key that was sent: the same limits hold.

import { ApiError } from '@dragoman/core';
import { incomingOf } from '@dragoman/core/bridge';
import { isObject } from '@dragoman/core/internal';
import { sentKey, type Wire } from '@dragoman/core/wire';
import type { Hono } from 'hono';
import { answerAdmitted } from './admit-admin.js';
import type { AppContext } from './app.js';

/** Verifications at once: each sends hundreds of requests. */
const MOST = 2;
const LONGEST_BODY = 10_000;

type Fetch = (request: Request) => Promise<Response>;

export function addVerify(app: Hono, context: AppContext, fetch: Fetch): void {
  let running = 0;
  app.post('/verify', ({ req }) =>
    answerAdmitted(req.raw, context, async () => {
      const asked = await readAsked(req.raw, context.wires);
      if (running >= MOST)
        throw new ApiError('rate-limited', `There are ${MOST} verifications already; try again later.`);
      running++;
      const stream = streamOf(req.raw, asked, context, fetch, () => running--);
      const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
      return new Response(stream, { headers });
    }),
  );
}

interface Asked {
  model: string;
  suite: 'quick' | 'full';
  wire: Wire;
}

async function readAsked(request: Request, wires: readonly Wire[]): Promise<Asked> {
  const body = parsed(await incomingOf(request).text(LONGEST_BODY));
  if (!isObject(body) || typeof body.model !== 'string' || body.model === '')
    throw new ApiError('bad-request', "expected {model, suite?, api?}: 'model' is the name of a model");
  const { model, suite = 'quick', api } = body;
  if (suite !== 'quick' && suite !== 'full')
    throw new ApiError('bad-request', "suite: expected 'quick' or 'full'", { path: 'suite' });
  const served = wires.filter((wire) => wire.served);
  const wire = served.find(({ name }) => api === undefined || name === api);
  if (!wire) {
    const names = served.map(({ name }) => `'${name}'`).join(', ');
    throw new ApiError('bad-request', `api: expected one of ${names}`, { path: 'api' });
  }
  return { model, suite, wire };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function streamOf(
  request: Request,
  asked: Asked,
  { wires, count }: AppContext,
  fetch: Fetch,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const stop = new AbortController();
  const key = sentKey((name) => request.headers.get(name), wires);
  const events = eventsOf(asked, new URL(request.url).origin, key, fetch, stop.signal);
  const utf8 = new TextEncoder();
  const forget = count.whenOver(() => stop.abort());
  request.signal.addEventListener('abort', () => stop.abort(), { once: true });
  const end = () => {
    forget();
    onEnd();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await events.next();
        if (!done) {
          controller.enqueue(utf8.encode(`data: ${JSON.stringify(value)}\n\n`));
          return;
        }
        end();
        controller.close();
      },
      cancel() {
        stop.abort();
        end();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Never throws: a fault is an event. */
async function* eventsOf(
  { model, suite, wire }: Asked,
  origin: string,
  key: string | undefined,
  fetch: Fetch,
  signal: AbortSignal,
): AsyncGenerator<object> {
  try {
    // Loaded only to verify.
    const { verifyByWire } = await import('@dragoman/verify');
    yield* verifyByWire({
      url: `${origin}/v1`,
      model,
      api: wire,
      suite,
      engine: 'none',
      signal,
      fetch: (url, init) => fetch(new Request(url, init)),
      ...(key !== undefined && { key }),
    });
  } catch (error) {
    yield { type: 'failed', message: (error as Error).message };
  }
}
