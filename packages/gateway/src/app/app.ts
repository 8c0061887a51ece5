// The gateway as one function: a web Request in, a Response out. Servers and workers stand around it.
//
//   Request ──> host ──> route ──> key ──> rate ──> room ──> the bridge ──> Response
//
// What a configuration decides is in a `Plan`, which a reload replaces whole: exchanges that run keep theirs.

import { ApiError } from '@dragoman/core';
import { errorResponse, type Reply, toResponse } from '@dragoman/core/bridge';
import { Hono } from 'hono';
import type { GatewayConfig } from '../config/config.js';
import type { Inspector } from '../observability/inspector.js';
import { joinWatchers } from '../observability/watchers.js';
import type { Responses } from '../responses/index.js';
import type { Log, RateLimiter, Store, Watcher } from '../services.js';
import { admitAdmin } from './admit-admin.js';
import { type Asked, askedOf } from './asked.js';
import { Exchange } from './exchange.js';
import { ExchangeCount } from './exchange-count.js';
import { addInspector } from './inspector-routes.js';
import type { TableOptions } from './model-table.js';
import { addPage, type PageFiles } from './page-routes.js';
import { createPlan, type Plan } from './plan.js';
import { addResponses } from './responses-routes.js';

export interface AppOptions extends TableOptions {
  log: Log & { hide?(secret: string): void };
  /** One that throws is left out, and does no harm. */
  watcher: Watcher | readonly Watcher[];
  limiter: RateLimiter;
  responses: Responses;
  /** What must answer for the gateway to be ready. */
  store?: Store;
  metrics?: { readonly contentType: string; render(): Promise<string> };
  inspector?: Inspector;
  /** The files of the playground. A worker has none, unless it is given some. */
  page?: PageFiles;
}

export interface App {
  fetch(request: Request): Promise<Response>;
  /** The same without web objects, for requests to models. Undefined: whatever else it is, `fetch` answers it. */
  answer(asked: Asked): Promise<Reply> | undefined;
  /** New requests are answered by this configuration; those that run are not disturbed. */
  reload(config: GatewayConfig): void;
  /** Takes no new requests, and settles when those that run are over. */
  drain(): Promise<void>;
  /** Ends what still runs, with an error in its stream. */
  abort(reason: ApiError): void;
  readonly open: number;
}

/** What a request finds: the plan of its time, and what all share. */
export interface Surroundings extends AppOptions {
  watcher: Watcher;
  plan(): Plan;
  count: ExchangeCount;
}

export function createApp(config: GatewayConfig, options: AppOptions): App {
  let plan = createPlan(config, options);
  const count = new ExchangeCount(() => plan.config.limits.requests);
  const watcher = joinWatchers([options.watcher].flat(), options.log);
  const around: Surroundings = { ...options, watcher, plan: () => plan, count };
  const app = createRoutes(around);
  return {
    async fetch(request) {
      const asked = askedOf(request);
      const reply = answer(asked, around);
      if (reply) return toResponse(await reply);
      const refused = refusal(asked, around);
      return refused ? toResponse(refused) : shown(await app.fetch(request), asked, around);
    },
    answer: (asked) => answer(asked, around),
    reload(next) {
      plan = createPlan(next, options);
    },
    drain: () => count.close(),
    abort: (reason) => count.abort(reason),
    get open() {
      return count.open;
    },
  };
}

/** Where models are asked. */
const models = new Set(
  ['/chat/completions', '/responses', '/messages', '/messages/count_tokens'].flatMap((path) => [
    path,
    `/v1${path}`,
  ]),
);

function answer(asked: Asked, around: Surroundings): Promise<Reply> | undefined {
  if (!models.has(asked.path)) return undefined;
  const refused = refusal(asked, around);
  if (refused) return Promise.resolve(refused);
  const { crossOrigin } = around.plan();
  const exchange = new Exchange(asked, around).answer();
  return exchange.then((reply) => {
    Object.assign(reply.headers, crossOrigin.headersFor(asked));
    return reply;
  });
}

/** Before anything else: who is this request for, and which page sends it? */
function refusal(asked: Asked, around: Surroundings): Reply | undefined {
  const { knowsHost, crossOrigin } = around.plan();
  if (knowsHost(asked.header('host'))) return crossOrigin.refuse(asked);
  const body = 'This host name does not lead here: add it to `hosts` in the configuration.\n';
  return { status: 403, headers: { 'content-type': 'text/plain;charset=UTF-8' }, body };
}

function shown(response: Response, asked: Asked, around: Surroundings): Response {
  const headers = around.plan().crossOrigin.headersFor(asked);
  for (const [name, value] of Object.entries(headers)) response.headers.append(name, value);
  return response;
}

function createRoutes(around: Surroundings): Hono {
  const app = new Hono();
  for (const root of ['', '/v1']) {
    app.get(`${root}/models`, ({ req }) => listModels(req.raw, around));
    addResponses(app, root, around);
  }
  addPage(app, around);
  app.get('/healthz', (context) => context.text(around.count.closing ? 'closing\n' : 'ok\n', health(around)));
  app.get('/readyz', () => readiness(around));
  app.get('/metrics', ({ req }) => metrics(req.raw, around));
  if (around.inspector && around.inspector.keep > 0) addInspector(app, around.inspector, around);
  app.notFound(({ req }) =>
    errorResponse(req.path, new ApiError('not-found', `There is nothing at ${req.path.slice(0, 200)}.`)),
  );
  app.onError((error, { req }) => {
    around.log.error({ error: String(error) }, 'a request failed inside the gateway');
    return errorResponse(req.path, new ApiError('internal', 'Something went wrong inside the gateway.'));
  });
  return app;
}

const health = ({ count }: Surroundings) => (count.closing ? 503 : 200);

async function readiness({ store, count, log }: Surroundings): Promise<Response> {
  if (count.closing) return new Response('closing\n', { status: 503 });
  try {
    await store?.check();
    return new Response('ready\n');
  } catch (error) {
    log.warn({ error: String(error) }, 'the store cannot be reached');
    return new Response('the store cannot be reached\n', { status: 503 });
  }
}

async function listModels(request: Request, around: Surroundings): Promise<Response> {
  try {
    const plan = around.plan();
    const key = await plan.admit(askedOf(request), around);
    const data = plan.models
      .list()
      .filter(({ id }) => plan.mayUse(key, id))
      .map(({ id, owner }) => ({
        id,
        object: 'model',
        created: 0,
        owned_by: owner,
        type: 'model',
        display_name: id,
      }));
    return Response.json({ object: 'list', data, has_more: false });
  } catch (error) {
    return errorResponse(request.url, error);
  }
}

/** Numbers tell of other people's work: where keys are needed, they need one, too. */
async function metrics(request: Request, around: Surroundings): Promise<Response> {
  if (!around.metrics) return new Response('no metrics\n', { status: 404 });
  try {
    await admitAdmin(request, around);
  } catch (error) {
    return errorResponse(request.url, error);
  }
  return new Response(await around.metrics.render(), {
    headers: { 'content-type': around.metrics.contentType },
  });
}
