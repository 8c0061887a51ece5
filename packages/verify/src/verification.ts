// Tests an endpoint: sends the probes of all checks and the cases of the suite, judges each answer when it is there, and
// ends with a report.

import type { ModelRequest } from '@dragoman/core';
import type { EngineName } from '@dragoman/core/bridge';
import type { Wire } from '@dragoman/core/wire';
import type { CheckId, ProbeContext } from './check.js';
import { checks } from './checks/index.js';
import {
  type Endpoint,
  type Exchange,
  type FetchFunction,
  hideIn,
  hiderOf,
  type Outgoing,
  sendExchange,
  shownUrl,
  splitAddress,
} from './endpoint.js';
import { findEngine } from './find-engine.js';
import { LatencyCount } from './latency.js';
import { isLost, LostAnswers } from './lost-answers.js';
import { pooled } from './pool.js';
import type { Answered, Probe, Question, Step } from './probe.js';
import { reachProblem, refusal } from './reach-problem.js';
import type { VerifyReport } from './report.js';
import { ScoreCount } from './scores.js';
import { drawSuite, SUITE_SIZES, type SuiteName } from './suite/draw-suite.js';
import { type FoundIn, Tally } from './tally.js';
import { TokenCount } from './token-count.js';
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
  /** When the exchanges were made, for the report. Default: now. */
  date?: string;
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

/** That of package.json: a test compares them. */
const VERSION = '0.1.0';
const TIMEOUT = 300_000;
const CONCURRENCY = 4;
/** Milliseconds that an endpoint has to show that it is still there. */
const LONGEST_DOUBT = 60_000;
const ANYTIME = new AbortController().signal;
/** Before the names of exchanges with the reference. */
const REFERENCE = 'reference.';

class Verification {
  readonly #options: WireVerifyOptions;
  readonly #endpoint: Endpoint;
  readonly #reference: Endpoint | undefined;
  readonly #context: ProbeContext;
  readonly #hide: (text: string) => string;
  readonly #tally: Tally;
  readonly #scores = new ScoreCount();
  readonly #latency = new LatencyCount();
  readonly #tokens = new TokenCount();
  readonly #signal: AbortSignal;
  readonly #date: string;
  /** Aborted when the endpoint has stopped answering. */
  readonly #gone = new AbortController();
  /** Probes that were not judged yet, by their check. */
  readonly #open = new Map<CheckId, number>();
  #lost: string | undefined;
  #done = 0;
  #retried = 0;
  #gateway: string | undefined;

  constructor(options: WireVerifyOptions) {
    const { timeout = TIMEOUT, suite = 'quick', seed = 1, signal = ANYTIME } = options;
    this.#options = options;
    this.#endpoint = toEndpoint(options, timeout);
    this.#reference = options.reference && toEndpoint(options.reference, timeout);
    const { wire, model } = this.#endpoint;
    this.#context = { wire, model, size: suite === 'full' ? 'full' : 'quick', seed };
    this.#hide = hiderOf([this.#endpoint, ...(this.#reference ? [this.#reference] : [])]);
    this.#tally = new Tally(this.#context, this.#hide);
    this.#signal = AbortSignal.any([signal, this.#gone.signal]);
    this.#date = options.date ?? new Date().toISOString();
  }

  async *run(): AsyncGenerator<VerifyEvent> {
    const { concurrency = CONCURRENCY, runs = 1 } = this.#options;
    const jobs = jobsOf(this.#probes(), runs);
    const cases = jobs.filter(({ probe }) => probe.suite).slice(0, 2);
    await this.#reach([...jobs.slice(0, 1), ...cases.slice(0, 1)], this.#endpoint, '');
    if (this.#reference) await this.#reach(cases, this.#reference, REFERENCE);
    const engine = await this.#engine();
    const endpoint = this.#described(engine);
    yield { type: 'start', endpoint, planned: jobs.length };
    for (const { probe } of jobs) this.#open.set(probe.check, (this.#open.get(probe.check) ?? 0) + 1);
    const lost = new LostAnswers<Result>();
    for await (const result of pooled(jobs, concurrency, (job) => this.#work(job))) {
      if (!result) continue;
      if (result.lost.length > 0) lost.hold(result);
      else lost.came();
      if (result.lost.length === 0) yield await this.#judged(result, jobs.length);
      if (!lost.isDoubtful || !(await this.#isThere(jobs[0]))) continue;
      for (const held of lost.release()) yield await this.#judged(held, jobs.length);
    }
    if (!lost.isEmpty && (await this.#isThere(jobs[0])))
      for (const held of lost.release()) yield await this.#judged(held, jobs.length);
    yield { type: 'report', report: this.#report(endpoint, jobs.length, engine) };
  }

  async #judged({ probe, turns, reference, lost }: Result, planned: number): Promise<VerifyEvent> {
    for (const { key, exchange } of lost) await this.#save(key, exchange);
    const [turn] = turns;
    if (probe.suite && turn) this.#scores.add(probe, turn, reference);
    for (const one of turns) {
      this.#latency.add(one);
      this.#tokens.add(one);
      this.#gateway ??= gatewayIn(one);
      if (one.exchange.retries) this.#retried++;
    }
    this.#open.set(probe.check, (this.#open.get(probe.check) ?? 0) - 1);
    const { check, id } = probe;
    const findings = this.#tally.add({ probe, turns });
    return { type: 'answer', done: ++this.#done, planned, check, probe: id, findings };
  }

  /** Asks the first question again, which was answered once. Without an answer, the run ends. */
  async #isThere(first: Job | undefined): Promise<boolean> {
    const [step] = first?.probe.steps ?? [];
    if (!step || this.#options.replay) return true;
    if (this.#signal.aborted) return false;
    const endpoint = { ...this.#endpoint, timeout: Math.min(this.#endpoint.timeout, LONGEST_DOUBT) };
    const asked = sendExchange(endpoint, this.#outgoing(step, endpoint), this.#signal);
    const exchange = await asked.catch(() => undefined);
    if (!exchange || !isLost(exchange)) return exchange !== undefined;
    this.#lost = this.#hide(exchange.error?.message ?? `HTTP ${exchange.status}.`);
    this.#gone.abort();
    return false;
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

  /**
   * Throws if the first request gets no answer, or one that all others would get as well; and if the next one, which
   * streams and has tools, is refused like it. Nothing is kept: once the key or the server is mended, the run begins.
   */
  async #reach(jobs: readonly Job[], endpoint: Endpoint, prefix: string): Promise<void> {
    if (this.#options.replay) return;
    let refused = 0;
    for (const job of jobs) {
      const [turn] = (await this.#ask(job, endpoint, prefix)) ?? [];
      if (!turn || this.#signal.aborted) return;
      const { exchange, failure = '' } = turn;
      const problem = reachProblem(exchange, failure, endpoint, this.#options.temperature);
      const isLast = exchange.status >= 400 && ++refused === jobs.length;
      const words = problem === '' && isLast ? refusal(exchange.status, failure) : problem;
      if (words !== '') throw new EndpointError(this.#hide(`${shownUrl(endpoint.url)} ${words}`));
      if (refused === 0) return;
    }
  }

  /** Undefined: it was not sent, because the run was stopped, or nothing is saved for it. */
  async #work(job: Job): Promise<Result | undefined> {
    const lost: Result['lost'] = [];
    const turns = await this.#ask(job, this.#endpoint, '', (key, exchange) => {
      lost.push({ key, exchange });
    });
    if (!turns) return undefined;
    const reference = job.probe.suite ? await this.#referred(job) : undefined;
    return { probe: job.probe, turns, lost, ...(reference && { reference }) };
  }

  async #referred(job: Job): Promise<Turn | undefined> {
    const keep: OnLost = (key, exchange) => this.#save(key, exchange);
    return this.#reference && (await this.#ask(job, this.#reference, REFERENCE, keep))?.[0];
  }

  async #ask(
    { probe, run }: Job,
    endpoint: Endpoint,
    prefix: string,
    onLost?: OnLost,
  ): Promise<Turn[] | undefined> {
    const turns: Turn[] = [];
    for (const [at, step] of probe.steps.entries()) {
      const key = `${prefix}${run}.${probe.check}.${probe.id}.${at}`;
      const exchange = await this.#exchange(key, step, endpoint, onLost);
      if (!exchange) return undefined;
      turns.push(
        readTurn(exchange, endpoint.wire, endpoint.model, 'question' in step ? step.question : undefined),
      );
    }
    return turns;
  }

  async #exchange(
    key: string,
    step: Step,
    endpoint: Endpoint,
    onLost: OnLost | undefined,
  ): Promise<Exchange | undefined> {
    const { store, replay } = this.#options;
    const saved = await store?.load(key);
    if (saved || replay || this.#signal.aborted) return saved;
    try {
      const exchange = await sendExchange(endpoint, this.#outgoing(step, endpoint), this.#signal);
      if (onLost && isLost(exchange)) await onLost(key, exchange);
      else if (onLost) await this.#save(key, exchange);
      return exchange;
    } catch (error) {
      if (this.#signal.aborted) return undefined;
      throw error;
    }
  }

  /** What did not reach the endpoint is sent again when the run is resumed. */
  async #save(key: string, exchange: Exchange): Promise<void> {
    if (exchange.status !== 0) await this.#options.store?.save(key, hideIn(exchange, this.#hide));
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

  #unjudged(): CheckId[] {
    return [...this.#open].flatMap(([check, count]) => (count > 0 ? [check] : []));
  }

  #described(engine: EngineName | undefined): VerifyReport['endpoint'] {
    const { url, wire, model } = this.#endpoint;
    return { url: shownUrl(url), api: wire.name, model, ...(engine && { engine }) };
  }

  #report(endpoint: VerifyReport['endpoint'], planned: number, engine: EngineName | undefined): VerifyReport {
    const { suite = 'quick', runs = 1, seed = 1 } = this.#options;
    const tokens = this.#tokens.tokens();
    const unjudged = this.#unjudged();
    return {
      endpoint: { ...endpoint, ...(this.#gateway !== undefined && { gateway: this.#gateway }) },
      date: this.#date,
      version: VERSION,
      suite: typeof suite === 'string' ? suite : 'own',
      seed,
      runs,
      requests: { done: this.#done, planned, ...(this.#retried > 0 && { retried: this.#retried }) },
      ...(this.#done < planned && { stopped: true as const, unjudged }),
      ...(this.#lost !== undefined && { lost: this.#lost }),
      scores: this.#scores.scores(),
      latency: this.#latency.latency(),
      ...(tokens && { tokens }),
      checks: this.#tally.results(engine, unjudged),
    };
  }
}

/** The mode of a Dragoman gateway, which reports on its answers; a quote in a text of the model is escaped. */
function gatewayIn({ body, streamed }: Turn): string | undefined {
  return streamed ? undefined : /"dragoman":\s?\{"mode":\s?"([a-z-]{1,20})"/.exec(body)?.[1];
}

/** The answers to a probe. */
interface Result extends Answered {
  /** That of the reference endpoint. */
  reference?: Turn;
  /** Exchanges whose connection was lost: they are saved when they are judged. */
  lost: { key: string; exchange: Exchange }[];
}

/** Takes an exchange whose connection was lost. Absent: nothing is kept. */
type OnLost = (key: string, exchange: Exchange) => void | Promise<void>;

interface Job {
  probe: Probe;
  run: number;
}

function jobsOf(probes: readonly Probe[], runs: number): Job[] {
  return Array.from({ length: runs }, (_, at) => probes.map((probe) => ({ probe, run: at + 1 }))).flat();
}

function toEndpoint(options: WireEndpointOptions, timeout: number): Endpoint {
  const { model, api: wire, key, fetch } = options;
  if (!URL.canParse(options.url) || !/^https?:$/.test(new URL(options.url).protocol))
    throw new EndpointError(
      `expected an address that begins with http:// or https://, found ${shownUrl(options.url)}`,
    );
  const { url, headers } = splitAddress(options.url);
  if (headers && key !== undefined)
    throw new EndpointError('the address has a password, and a key is given: leave one of them out');
  return {
    url,
    model,
    wire,
    timeout,
    ...(key !== undefined && { key }),
    ...((headers || options.headers) && { headers: { ...headers, ...options.headers } }),
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
    maxTokens,
  } = question;
  if (given) return { ...given, model, stream, ...(stream && { includeUsage: true }) };
  return {
    model,
    conversation: { messages, tools, toolChoice },
    settings: {
      ...(temperature !== null && { temperature }),
      ...(parallelCalls !== undefined && { parallelCalls }),
      ...(maxTokens !== undefined && { maxTokens }),
    },
    stream,
    includeUsage: true,
    ...(format && { format }),
  };
}
