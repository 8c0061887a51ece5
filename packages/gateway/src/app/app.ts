// The gateway as one function, for servers and workers: a web Request in, a Response out.
//
//   Request ──> host ──> route ──> key ──> rate limit ──> request limit ──> the bridge ──> Response
//
// What a configuration decides is in a `Plan`. A reload replaces the plan; requests that are running keep theirs.

import { ApiError } from '@dragoman/core';
import {
  createSeal,
  errorReply,
  errorResponse,
  RepeatedValues,
  type Reply,
  TurnMemory,
  toResponse,
} from '@dragoman/core/bridge';
import { wires as everyWire, routesOf, type Wire, type WireRoute } from '@dragoman/core/wire';
import { Hono, type HonoRequest } from 'hono';
import type { GatewayConfig } from '../config/config.js';
import type { InspectorView } from '../observability/inspector.js';
import { inspectorStream } from '../observability/inspector-stream.js';
import { joinWatchers } from '../observability/watchers.js';
import type { Responses } from '../responses/index.js';
import type { Log, RateLimiter, RequestRoom, Store, Watcher } from '../services.js';
import { answerAdmin } from './admit-admin.js';
import { type AppRequest, appRequestOf, noteAddress } from './app-request.js';
import { ExchangeCount } from './exchange-count.js';
import { takeRate } from './key-rate.js';
import { createBalances, type ModelBalances } from './model-balances.js';
import { addModels } from './model-routes.js';
import type { TableOptions } from './model-table.js';
import { addPage, type PageFiles } from './page-routes.js';
import { createPlan, type Plan, planSteps } from './plan.js';
import type { BodyCount } from './request-body.js';
import type { RequestLane } from './request-lane.js';
import { ServedRequest } from './served-request.js';
import { atOnce, type Steps } from './steps.js';
import { answerStored, storedRouteOf } from './stored-request.js';
import { Strangers } from './strangers.js';
import { createCatalogs } from './upstream-catalog.js';
import { addVerify } from './verify-routes.js';
import { WorkBudget } from './work-budget.js';

export interface AppOptions extends TableOptions {
  balances?: ModelBalances;
  log: Log & { hide?(secret: string): void };
  /** Errors of a watcher are ignored. */
  watcher: Watcher | readonly Watcher[];
  limiter: RateLimiter;
  responses: Responses;
  /** Checked by `/readyz`. */
  store?: Store;
  metrics?: { readonly contentType: string; render(): Promise<string> };
  inspector?: InspectorView;
  /** How many requests this process may answer at once, where several share a limit. Default: `limits.requests`. */
  room?: RequestRoom;
  /** Answers large requests in another thread. Default: they are answered in this one. */
  lane?: RequestLane;
  /** The files of the playground. A worker has none, unless it is given some. */
  page?: PageFiles;
  /** Counts bodies that clients send again with more. Default: each is counted by itself. */
  known?: BodyCount;
}

export interface App {
  /** `address`: that of the client, where it is known. */
  fetch(request: Request, address?: string): Promise<Response>;
  /** The same without web objects, for requests to models and for what is stored. Undefined for other requests, which `fetch` answers. */
  answer(request: AppRequest): Promise<Reply> | undefined;
  /** Uses this configuration for new requests; requests that are running keep theirs. */
  reload(config: GatewayConfig): void;
  /** The same step by step: new requests use this configuration from the last step on. */
  reloadSteps(config: GatewayConfig): Steps;
  /** Takes no new requests, and settles when all running requests are over. */
  drain(): Promise<void>;
  /** Ends all running requests, with an error in their streams. */
  abort(reason: ApiError): void;
  readonly open: number;
}

/** What all requests share; `plan` gives the current plan. */
export interface AppContext extends AppOptions {
  watcher: Watcher;
  wires: readonly Wire[];
  /** The routes by their whole path. */
  routes: ReadonlyMap<string, WireRoute>;
  plan(): Plan;
  count: ExchangeCount;
  work: WorkBudget;
  strangers: Strangers;
}

export function createApp(config: GatewayConfig, options: AppOptions): App {
  const { balances = createBalances() } = options;
  const { catalogs = createCatalogs({ transport: options.transport }) } = options;
  const { seal = createSeal(config.sealKey) } = options;
  const { repeated = new RepeatedValues(), turns = config.turns === 'off' ? 'off' : new TurnMemory() } =
    options;
  const shared = { ...options, balances, catalogs, seal, repeated, turns };
  let plan = createPlan(config, shared);
  const count = new ExchangeCount(() => plan.config.limits.requests, options.room?.limit);
  const work = new WorkBudget(() => plan.config.limits);
  const watcher = joinWatchers([options.watcher].flat(), options.log);
  const { wires = everyWire } = options;
  const context: AppContext = {
    ...options,
    watcher,
    wires,
    routes: pathsOf(wires),
    plan: () => plan,
    strangers: new Strangers(),
    count,
    work,
  };
  const app = createRoutes(context);
  const gateway: App = {
    async fetch(web, address) {
      noteAddress(web, address);
      const request = appRequestOf(web);
      const reply = answer(request, context);
      if (reply) return toResponse(await reply);
      const refused = refusal(request, context) ?? (await refuseMany(request, context));
      return refused ? toResponse(refused) : shown(await app.fetch(web), request, context);
    },
    answer: (request) => answer(request, context),
    reload: (next) => atOnce(gateway.reloadSteps(next)),
    *reloadSteps(next) {
      const prepared = balances.prepare();
      plan = yield* planSteps(next, { ...shared, balances: prepared });
      prepared.use();
      balances.keepOnly(next.models.flatMap(({ name, pool }) => (pool ? [name] : [])));
    },
    drain: () => count.close(),
    abort(reason) {
      options.lane?.abort(reason);
      count.abort(reason);
    },
    get open() {
      return count.open;
    },
  };
  addVerify(app, context, gateway.fetch);
  return gateway;
}

/** Gives the paths of requests to models, with and without the version in front. */
function pathsOf(wires: readonly Wire[]): ReadonlyMap<string, WireRoute> {
  return new Map(
    routesOf(wires).flatMap((route) => ['', '/v1'].map((version) => [version + route.path, route] as const)),
  );
}

function answer(request: AppRequest, context: AppContext): Promise<Reply> | undefined {
  const route = context.routes.get(request.path);
  const stored = route ? undefined : storedRouteOf(request, context.wires);
  if (!route && !stored && !isHealthCheck(request)) return undefined;
  const refused = refusal(request, context);
  if (refused) return Promise.resolve(refused);
  const { crossOrigin } = context.plan();
  const withHeaders = (reply: Reply) => {
    Object.assign(reply.headers, crossOrigin.headersFor(request));
    return reply;
  };
  if (route) return new ServedRequest(request, route, context).answer().then(withHeaders);
  if (!stored) return Promise.resolve(health(context));
  const answered = refuseMany(request, context).then(
    (many) => many ?? answerStored(request, stored, context),
  );
  return answered.then(withHeaders);
}

/** Refuses a request with an unknown host name (DNS rebinding) or from a page of a foreign origin. */
function refusal(request: AppRequest, context: AppContext): Reply | undefined {
  const { knowsHost, crossOrigin } = context.plan();
  if (knowsHost(request.header('host'))) return crossOrigin.refuse(request);
  const body = 'This host name is not allowed: add it to `hosts` in the configuration.\n';
  return { status: 403, headers: { 'content-type': 'text/plain;charset=UTF-8' }, body };
}

/**
 * Where there are keys, requests of all methods that are not for a model are limited: those with a known key by the limit
 * of the key, others by address. Health checks are not.
 */
async function refuseMany(request: AppRequest, context: AppContext): Promise<Reply | undefined> {
  const plan = context.plan();
  if (plan.open || request.path === '/healthz') return undefined;
  try {
    const key = await plan.ownerOf(request);
    if (key) await takeRate(context, key, 'others');
    else context.strangers.count('openGetsPerMinute', request.address, plan.config.limits);
    return undefined;
  } catch (error) {
    return errorReply(request.path, error, context.wires);
  }
}

function shown(response: Response, request: AppRequest, context: AppContext): Response {
  const headers = context.plan().crossOrigin.headersFor(request);
  for (const [name, value] of Object.entries(headers)) response.headers.append(name, value);
  return response;
}

function createRoutes(context: AppContext): Hono {
  const app = new Hono();
  const fail = (path: string, error: ApiError) => errorResponse(path, error, context.wires);
  for (const root of ['', '/v1']) addModels(app, root, context);
  addPage(app, context);
  app.get('/readyz', () => readiness(context));
  app.get('/metrics', ({ req }) => metrics(req.raw, context));
  if (context.inspector && context.inspector.keep > 0) addInspector(app, context.inspector, context);
  app.notFound(({ req }) => fail(req.path, noRoute(req, context)));
  app.onError((error, { req }) => {
    context.log.error({ error: String(error) }, 'a request failed inside the gateway');
    return fail(req.path, new ApiError('internal', 'Something went wrong inside the gateway.'));
  });
  return app;
}

function noRoute({ method, path }: HonoRequest, { routes }: AppContext): ApiError {
  const served = [...routes.keys()]
    .filter((route) => route.startsWith('/v1'))
    .map((route) => `POST ${route}`);
  const known = [...served, 'GET /v1/models', 'GET /v1/models/{id}'].join(', ');
  return new ApiError(
    'not-found',
    `There is nothing at ${method} ${path.slice(0, 200)}; there are ${known}.`,
  );
}

function isHealthCheck({ method, path }: AppRequest): boolean {
  return path === '/healthz' && (method === 'GET' || method === 'HEAD');
}

/** Answered without web objects, in one turn of the event loop: also under load. */
function health({ count: { closing } }: AppContext): Reply {
  const headers = { 'content-type': 'text/plain; charset=UTF-8' };
  return { status: closing ? 503 : 200, headers, body: closing ? 'closing\n' : 'ok\n' };
}

async function readiness({ store, count, log }: AppContext): Promise<Response> {
  if (count.closing) return new Response('closing\n', { status: 503 });
  try {
    await store?.check();
    return new Response('ready\n');
  } catch (error) {
    log.warn({ error: String(error) }, 'the store cannot be reached');
    return new Response('the store cannot be reached\n', { status: 503 });
  }
}

/** Metrics show other clients' work: where keys are needed, metrics need one with `admin`. */
async function metrics(request: Request, context: AppContext): Promise<Response> {
  const { metrics } = context;
  if (!metrics) return new Response('no metrics\n', { status: 404 });
  return answerAdmin(request, context, async () => {
    return new Response(await metrics.render(), { headers: { 'content-type': metrics.contentType } });
  });
}

const root = '/inspector';
/** Live streams of the inspector at once: each exchange is written for every one of them. */
const MOST_STREAMS = 32;

function addInspector(app: Hono, inspector: InspectorView, context: AppContext): void {
  const guarded = (request: Request, answer: () => Response | Promise<Response>) =>
    answerAdmin(request, context, answer);
  app.get(`${root}/exchanges`, ({ req }) =>
    guarded(req.raw, async () => Response.json({ keep: inspector.keep, exchanges: await inspector.list() })),
  );
  app.get(`${root}/exchanges/:id`, ({ req }) =>
    guarded(req.raw, async () => {
      const found = await inspector.get(req.param('id'));
      return found ? Response.json(found) : Response.json({ error: 'not kept' }, { status: 404 });
    }),
  );
  const open = new Set<() => void>();
  app.get(`${root}/events`, ({ req }) =>
    guarded(req.raw, () => {
      if (open.size >= MOST_STREAMS) return tooManyStreams();
      return new Response(streamOf(inspector, context, req, open), {
        headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
      });
    }),
  );
}

function tooManyStreams(): Response {
  const error = `There are at most ${MOST_STREAMS} live streams of the inspector at once; close one, or try again.`;
  return Response.json({ error }, { status: 503, headers: { 'retry-after': '5' } });
}

/** `?id=` selects one exchange, `?only=list` the events that change the list, without content. */
function streamOf(
  inspector: InspectorView,
  { count }: AppContext,
  req: HonoRequest,
  open: Set<() => void>,
): ReadableStream<Uint8Array> {
  const id = req.query('id');
  const list = req.query('only') === 'list';
  return inspectorStream(inspector, {
    onEnd: (end) => {
      // Streams that began together may be too many when they are first read.
      if (open.size >= MOST_STREAMS) end();
      open.add(end);
      const forget = count.whenOver(end);
      return () => {
        open.delete(end);
        forget();
      };
    },
    only: (event) =>
      event.type === 'dropped' ||
      ((id === undefined || event.id === id) && (!list || event.type.startsWith('exchange-'))),
  });
}
