// Tests an endpoint: sends the probes of all checks and the cases of the suite, judges each answer when it is there, and
// ends with a report.

import type { ModelRequest } from '@dragoman/core';
import { detectEngine, type EngineName } from '@dragoman/core/bridge';
import type { Wire } from '@dragoman/core/wire';
import type { CheckId, ProbeContext } from './check.js';
import { checks } from './checks/index.js';
import {
  type Endpoint,
  type Exchange,
  type FetchFunction,
  type Outgoing,
  sendExchange,
  shownUrl,
} from './endpoint.js';
import { LatencyCount } from './latency.js';
import { pooled } from './pool.js';
import type { Answered, Probe, Question, Step } from './probe.js';
import type { VerifyReport } from './report.js';
import { ScoreCount } from './scores.js';
import { drawSuite, SUITE_SIZES, type SuiteName } from './suite/draw-suite.js';
import { type FoundIn, Tally } from './tally.js';
import { readTurn, type Turn } from './turn.js';

/** Where an endpoint is. */
export interface WireEndpointOptions {
  /** The address up to the version, as clients take it: `http://localhost:8000/v1`. */
  url: string;
  model: string;
  api: Wire;
  key?: string;
  headers?: Readonly<Record<string, string>>;
  /** Default: the global one. */
  fetch?: FetchFunction;
}

export interface WireVerifyOptions extends WireEndpointOptions {
  /** `quick`: 60 requests. `full`: 600. Or cases of your own: see `readSuite`. Default `quick`. */
  suite?: SuiteName | readonly Probe[];
  /** How often everything is sent. Default 1. */
  runs?: number;
  /** What the suite is drawn with. Default 1. */
  seed?: number;
  /** Requests at once. Default 4. */
  concurrency?: number;
  /** Milliseconds for one answer. Default 5 minutes. */
  timeout?: number;
  /** The temperature of the requests; null: that of the model. Default 0. */
  temperature?: number | null;
  /** Another endpoint, whose answers to the suite decide when a call is right, instead of its labels. */
  reference?: WireEndpointOptions;
  /** What serves the endpoint, for the advice; `none`: it is not looked for. Default: found out. */
  engine?: EngineName | 'none';
  /** Keeps exchanges. What it has is not sent again. */
  store?: ExchangeStore;
  /** Sends nothing: what `store` does not have is left out. */
  replay?: boolean;
  /** Ends it early: the report then has what was done. */
  signal?: AbortSignal;
}

export interface ExchangeStore {
  load(key: string): Promise<Exchange | undefined>;
  save(key: string, exchange: Exchange): Promise<void>;
}

export type VerifyEvent =
  | { type: 'start'; endpoint: VerifyReport['endpoint']; planned: number }
  | { type: 'answer'; done: number; planned: number; check: CheckId; probe: string; findings: FoundIn[] }
  | { type: 'report'; report: VerifyReport };

/** The endpoint cannot be tested at all. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';
}

/** The same as `verifyEndpoint`, with the API as a value: a page that needs one API bundles one. */
export async function* verifyByWire(options: WireVerifyOptions): AsyncGenerator<VerifyEvent> {
  yield* new Verification(options).run();
}

const TIMEOUT = 300_000;
const CONCURRENCY = 4;
/** Milliseconds for each path that shows which engine it is. */
const ENGINE_TIME = 3_000;
const ANYTIME = new AbortController().signal;
/** Before the names of exchanges with the reference. */
const REFERENCE = 'reference.';

class Verification {
  readonly #options: WireVerifyOptions;
  readonly #endpoint: Endpoint;
  readonly #reference: Endpoint | undefined;
  readonly #context: ProbeContext;
  readonly #tally: Tally;
  readonly #scores = new ScoreCount();
  readonly #latency = new LatencyCount();
  readonly #signal: AbortSignal;
  #done = 0;

  constructor(options: WireVerifyOptions) {
    const { timeout = TIMEOUT, suite = 'quick', seed = 1, signal = ANYTIME } = options;
    this.#options = options;
    this.#endpoint = toEndpoint(options, timeout);
    this.#reference = options.reference && toEndpoint(options.reference, timeout);
    const { wire, model } = this.#endpoint;
    this.#context = { wire, model, size: suite === 'full' ? 'full' : 'quick', seed };
    this.#tally = new Tally(this.#context);
    this.#signal = signal;
  }

  async *run(): AsyncGenerator<VerifyEvent> {
    const { concurrency = CONCURRENCY, runs = 1 } = this.#options;
    const jobs = jobsOf(this.#probes(), runs);
    await this.#reach(jobs[0], this.#endpoint, '');
    if (this.#reference)
      await this.#reach(
        jobs.find(({ probe }) => probe.suite),
        this.#reference,
        REFERENCE,
      );
    const engine = await this.#engine();
    const endpoint = this.#described(engine);
    yield { type: 'start', endpoint, planned: jobs.length };
    for await (const result of pooled(jobs, concurrency, (job) => this.#work(job))) {
      if (!result) continue;
      this.#done++;
      const { probe, findings } = result;
      const { check, id } = probe;
      yield { type: 'answer', done: this.#done, planned: jobs.length, check, probe: id, findings };
    }
    yield { type: 'report', report: this.#report(endpoint, jobs.length, engine) };
  }

  async #engine(): Promise<EngineName | undefined> {
    const { engine, replay } = this.#options;
    if (engine === 'none' || (engine === undefined && replay)) return undefined;
    return engine ?? (await findEngine(this.#endpoint, this.#signal).catch(() => undefined));
  }

  /** The probe of `answers` is the first: it shows whether there is an endpoint. */
  #probes(): Probe[] {
    const { suite = 'quick' } = this.#options;
    const own = checks.flatMap((check) =>
      (check.probes?.(this.#context) ?? []).map((probe) => ({ ...probe, check: check.id })),
    );
    const cases = typeof suite === 'string' ? drawSuite(SUITE_SIZES[suite], this.#context.seed) : suite;
    return [...own, ...cases];
  }

  /** Throws if the first request gets no answer, or one that all others would get as well. */
  async #reach(first: Job | undefined, endpoint: Endpoint, prefix: string): Promise<void> {
    if (!first || this.#options.replay) return;
    const turns = await this.#ask(first, endpoint, prefix);
    const exchange = turns?.[0]?.exchange;
    if (!exchange || this.#signal.aborted) return;
    const { status, error } = exchange;
    const where = shownUrl(endpoint.url);
    if (status === 0)
      throw new EndpointError(`${where} cannot be reached: ${error?.message ?? 'no answer came.'}`);
    if ([401, 403, 404].includes(status))
      throw new EndpointError(`${where} refuses the request. ${turns?.[0]?.failure ?? ''}`);
    if (exchange.type.includes('text/html'))
      throw new EndpointError(
        `${where} answers with a web page: the address must end before the path of the API.`,
      );
  }

  /** Undefined: it was not sent, because the run was stopped, or nothing is saved for it. */
  async #work(job: Job): Promise<{ probe: Probe; findings: FoundIn[] } | undefined> {
    const turns = await this.#ask(job, this.#endpoint, '');
    if (!turns) return undefined;
    const { probe } = job;
    const answered: Answered = { probe, turns };
    const [turn] = turns;
    if (probe.suite && turn) this.#scores.add(probe, turn, await this.#referred(job));
    for (const one of turns) this.#latency.add(one);
    return { probe, findings: this.#tally.add(answered) };
  }

  async #referred(job: Job): Promise<Turn | undefined> {
    return this.#reference && (await this.#ask(job, this.#reference, REFERENCE))?.[0];
  }

  async #ask({ probe, run }: Job, endpoint: Endpoint, prefix: string): Promise<Turn[] | undefined> {
    const turns: Turn[] = [];
    for (const [at, step] of probe.steps.entries()) {
      const key = `${prefix}${run}.${probe.check}.${probe.id}.${at}`;
      const exchange = await this.#exchange(key, step, endpoint);
      if (!exchange) return undefined;
      turns.push(
        readTurn(exchange, endpoint.wire, endpoint.model, 'question' in step ? step.question : undefined),
      );
    }
    return turns;
  }

  async #exchange(key: string, step: Step, endpoint: Endpoint): Promise<Exchange | undefined> {
    const { store, replay } = this.#options;
    const saved = await store?.load(key);
    if (saved || replay || this.#signal.aborted) return saved;
    try {
      const exchange = await sendExchange(endpoint, this.#outgoing(step, endpoint), this.#signal);
      // What did not reach the endpoint is sent again when the run is resumed.
      if (exchange.status !== 0) await store?.save(key, exchange);
      return exchange;
    } catch (error) {
      if (this.#signal.aborted) return undefined;
      throw error;
    }
  }

  #outgoing(step: Step, { wire, model }: Endpoint): Outgoing {
    if ('get' in step) return { method: 'GET', path: step.get, body: '', streamed: false };
    const rest = { method: 'POST' as const, path: wire.path };
    if ('body' in step) {
      return { ...rest, body: step.body.replaceAll('{model}', model.replaceAll('"', '')), streamed: false };
    }
    const request = requestOf(step.question, model, this.#options.temperature);
    return { ...rest, body: JSON.stringify(wire.encodeRequest(request)), streamed: request.stream };
  }

  #described(engine: EngineName | undefined): VerifyReport['endpoint'] {
    const { url, wire, model } = this.#endpoint;
    return { url: shownUrl(url), api: wire.name, model, ...(engine && { engine }) };
  }

  #report(endpoint: VerifyReport['endpoint'], planned: number, engine: EngineName | undefined): VerifyReport {
    const { suite = 'quick', runs = 1, seed = 1 } = this.#options;
    return {
      endpoint,
      suite: typeof suite === 'string' ? suite : 'own',
      seed,
      runs,
      requests: { done: this.#done, planned },
      ...(this.#done < planned && { stopped: true as const }),
      scores: this.#scores.scores(),
      latency: this.#latency.latency(),
      checks: this.#tally.results(engine),
    };
  }
}

interface Job {
  probe: Probe;
  run: number;
}

function jobsOf(probes: readonly Probe[], runs: number): Job[] {
  return Array.from({ length: runs }, (_, at) => probes.map((probe) => ({ probe, run: at + 1 }))).flat();
}

function toEndpoint(options: WireEndpointOptions, timeout: number): Endpoint {
  const { url, model, api: wire, key, headers, fetch } = options;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new EndpointError(`expected an address that begins with http:// or https://, found ${url}`);
  return {
    url,
    model,
    wire,
    timeout,
    ...(key !== undefined && { key }),
    ...(headers && { headers }),
    ...(fetch && { fetch }),
  };
}

function requestOf(question: Question, model: string, temperature: number | null = 0): ModelRequest {
  const {
    given,
    messages,
    tools = [],
    toolChoice = 'auto',
    stream = false,
    format,
    parallelCalls,
  } = question;
  if (given) return { ...given, model, stream, ...(stream && { includeUsage: true }) };
  return {
    model,
    conversation: { messages, tools, toolChoice },
    settings: {
      ...(temperature !== null && { temperature }),
      ...(parallelCalls !== undefined && { parallelCalls }),
    },
    stream,
    includeUsage: true,
    ...(format && { format }),
  };
}

/** The address without the version at its end. */
function rootOf(url: string): string {
  const { origin, pathname } = new URL(url);
  const parts = pathname.split('/').filter((part) => part !== '');
  if (/^v\d+$/.test(parts.at(-1) ?? '')) parts.pop();
  return [origin, ...parts].join('/');
}

/** Asks the paths that only one engine has, at the root of the server. */
async function findEngine(endpoint: Endpoint, signal: AbortSignal): Promise<EngineName | undefined> {
  const root = rootOf(endpoint.url);
  const get = async (url: string, path: string): Promise<unknown> => {
    const outgoing = { method: 'GET' as const, path, body: '', streamed: false };
    const found = await sendExchange({ ...endpoint, url, timeout: ENGINE_TIME }, outgoing, signal);
    if (found.status !== 200) return undefined;
    try {
      return JSON.parse(found.pieces.map(([, text]) => text).join(''));
    } catch {
      return undefined;
    }
  };
  const engine = await detectEngine(await get(endpoint.url, '/models'), (path) => get(root, path));
  return engine?.name;
}
