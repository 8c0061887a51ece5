// Prometheus metrics. The numbers of an exchange are collected while it runs and recorded when it ends, so that an event
// costs a comparison or two.

import type { Issue, Move, ParseEvent, Reask, Repair, Report, Usage } from '@dragoman/core';
import { type BridgeEvent, toolFaults } from '@dragoman/core/bridge';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { ExchangeInfo, ExchangeWatch, Watcher } from '../services.js';
import { createMeters, type Meters, OTHER } from './meters.js';

export interface MetricsOptions {
  /** Whether a model is a configured one. All that are not are counted as `other`. Default: all are. */
  knows?: (model: string) => boolean;
  /** Gives the shares of upstreams, where a model has several. Read with the metrics. */
  shares?: () => readonly { model: string; upstream: string; share: number }[];
  /** What clients send again in every request. Read with the metrics. */
  repeated?: Counted;
  /** Bodies of requests that are kept to count others by them. Read with the metrics. */
  bodies?: { readonly bytes: number };
  turns?: Counted;
  /** The largest number of label sets of a metric. Default 1,000. */
  labelSets?: number;
  /** Adds the metrics of the process. Default true. */
  process?: boolean;
}

export interface Metrics extends Watcher {
  /** The content type of what `render` returns. */
  readonly contentType: string;
  /** All metrics in the Prometheus text format. */
  render(): Promise<string>;
  /** How many exchanges have begun. */
  readonly begun: number;
  /** The values of our own metrics, to be added up with those of other processes. */
  values(): Promise<MetricValues>;
}

/** The values of metrics as plain data. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** A memory that counts how often it had what was looked for. */
interface Counted {
  readonly hits: number;
  readonly misses: number;
  readonly size: { characters: number };
}

const NONE = 'none';

export function createMetrics({
  knows = () => true,
  shares = () => [],
  repeated,
  bodies,
  turns,
  labelSets = 1000,
  process = true,
}: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  const meters = createMeters(registry, labelSets);
  const setRepeated = repeated
    ? countedMeter(repeated, meters.repeated, meters.repeatedCharacters)
    : () => {};
  const setTurns = turns ? countedMeter(turns, meters.turns, meters.turnCharacters) : () => {};
  const readValues = () => {
    meters.shares.setAll(shares().map(({ share, ...labels }) => ({ labels, value: share })));
    setRepeated();
    if (bodies) meters.bodyBytes.setAll([{ labels: {}, value: bodies.bytes }]);
    setTurns();
  };
  let begun = 0;
  return {
    contentType: registry.contentType,
    get begun() {
      return begun;
    },
    begin(exchange) {
      begun++;
      return new Count(exchange, meters, knows);
    },
    values() {
      readValues();
      return registry.getMetricsAsJSON();
    },
    async render() {
      readValues();
      if (!process) return registry.metrics();
      const [ours, its] = await Promise.all([registry.metrics(), processMetrics().metrics()]);
      return `${ours}\n${its}`;
    },
  };
}

/** Gives a function that brings the metrics up to date: the values themselves are counted where they are looked for. */
function countedMeter(
  counted: Counted,
  found: Meters['repeated'],
  characters: Meters['repeatedCharacters'],
): () => void {
  const before = { hits: 0, misses: 0 };
  return () => {
    found.add({ known: 'yes' }, counted.hits - before.hits);
    found.add({ known: 'no' }, counted.misses - before.misses);
    Object.assign(before, { hits: counted.hits, misses: counted.misses });
    characters.setAll([{ labels: {}, value: counted.size.characters }]);
  };
}

class Count implements ExchangeWatch {
  readonly #began = performance.now();
  #model = NONE;
  #dialect = NONE;
  #upstream = NONE;
  /** The moves from one upstream to another. */
  readonly #moves: Move[] = [];
  /** Where the open stream was counted, as its labels may change. */
  #stream: Record<string, string> | undefined;
  #firstByte: number | undefined;
  #calls = 0;
  readonly #reasks: Reask[] = [];
  #refused = 0;
  /** The upstream was given tools of its own. */
  #native = false;
  #usage: Usage | undefined;
  #report: Report | undefined;
  /** Those of the parser, counted if no report comes. */
  readonly #issues: Issue[] = [];
  readonly #repairs: Repair[] = [];
  #ended = false;

  constructor(
    readonly exchange: ExchangeInfo,
    readonly meters: Meters,
    readonly knows: (model: string) => boolean,
  ) {}

  model({ name, upstream, dialect }: { name: string; upstream: string; dialect?: string }): void {
    this.#model = this.knows(name) ? name : OTHER;
    this.#upstream = upstream;
    this.#dialect = dialect ?? NONE;
  }

  event(event: BridgeEvent): void {
    if (event.type === 'parse') this.#parse(event.event);
    else if (event.type === 'answer') this.#answer(event.event);
    else if (event.type === 'reask') this.#reasks.push(event.reask);
    else if (event.type === 'endpoint') this.#endpoint(event);
    else if (event.type === 'tools-refused') this.#refused++;
    else if (event.type === 'upstream-request') this.#native = event.request.conversation.tools.length > 0;
    else if (event.type === 'request' && event.request.stream) this.#openStream();
  }

  firstByte(): void {
    this.#firstByte ??= this.#seconds();
  }

  end({ status }: { status: number }): void {
    if (this.#ended) return;
    this.#ended = true;
    const { api } = this.exchange;
    const { meters } = this;
    if (this.#stream) meters.streams.add(this.#stream, -1);
    if (this.#report?.dialect !== undefined) this.#dialect = this.#report.dialect;
    meters.requests.add({ api, model: this.#model, status: Number.isInteger(status) ? status : OTHER });
    meters.seconds.observe({ api, ...this.#where() }, this.#seconds());
    if (this.#firstByte !== undefined) meters.firstByte.observe(this.#where(), this.#firstByte);
    this.#tokens();
    this.#callsMade();
    this.#notes();
    this.#faults();
    meters.held.add(this.#where(), Number(this.#report?.held === true));
    meters.reasks.add(this.#where(), this.#reasks.length);
    meters.refused.add({ model: this.#model }, this.#refused);
  }

  #openStream(): void {
    if (this.#stream || this.#ended) return;
    this.#stream = this.#where();
    this.meters.streams.add(this.#stream, 1);
  }

  #parse({ issues, repairs }: ParseEvent): void {
    if (issues) this.#issues.push(...issues);
    if (repairs) this.#repairs.push(...repairs);
  }

  #answer(event: Extract<BridgeEvent, { type: 'answer' }>['event']): void {
    if (event.type === 'call-end') this.#calls++;
    else if (event.type === 'usage') this.#usage = event.usage;
    else if (event.type === 'report') this.#report = event.report;
  }

  #tokens(): void {
    if (!this.#usage) return;
    const { inputTokens, outputTokens, cachedTokens, reasoningTokens, estimated = false } = this.#usage;
    const labels = { ...this.#where(), estimated: String(estimated) };
    for (const [direction, tokens] of [
      ['input', inputTokens],
      ['output', outputTokens],
      ['cached', cachedTokens],
      ['reasoning', reasoningTokens],
    ] as const) {
      this.meters.tokens.add({ ...labels, direction }, tokens ?? 0);
    }
  }

  #callsMade(): void {
    const leaked = this.#report?.repairs.filter(({ code }) => code === 'leaked-call').length ?? 0;
    const own = Math.max(0, this.#calls - leaked);
    const how = (this.#report ? this.#report.mode !== 'emulate' : this.#native) ? 'native' : 'read';
    this.meters.calls.add({ ...this.#where(), how }, own);
    this.meters.calls.add({ ...this.#where(), how: 'leaked' }, leaked);
  }

  /** Of all attempts: a report lists the issues of those that failed with their re-asks. */
  #notes(): void {
    const report = this.#report;
    const issues = report
      ? [...report.issues, ...report.reasks.flatMap((reask) => reask.issues)]
      : this.#issues;
    for (const { code } of issues) this.meters.issues.add({ ...this.#where(), code });
    for (const { code } of report?.repairs ?? this.#repairs)
      this.meters.repairs.add({ ...this.#where(), code });
  }

  /** Counts the faults of the answer, and those of answers that other upstreams gave before it. */
  #faults(): void {
    const upstream = this.#report?.upstream ?? this.#upstream;
    const notes = this.#report ?? { issues: this.#issues, repairs: this.#repairs, reasks: [] };
    // An answer that came back after all is among the moves.
    const isNew = this.#moves.every(({ from }) => from !== upstream);
    for (const kind of isNew ? toolFaults(notes) : []) this.#fault(upstream, kind);
    for (const { from, faults = {} } of this.#moves)
      for (const [kind, count] of Object.entries(faults)) this.#fault(from, kind, count);
  }

  #fault(upstream: string, kind: string, count = 1): void {
    this.meters.faults.add({ model: this.#model, upstream, kind }, count);
  }

  /** What an upstream wrote before a move is counted with the move. */
  #endpoint({ name, moved }: Extract<BridgeEvent, { type: 'endpoint' }>): void {
    this.#upstream = name;
    if (moved) this.#moves.push(moved);
    this.#issues.length = 0;
    this.#repairs.length = 0;
  }

  #where(): { model: string; dialect: string } {
    return { model: this.#model, dialect: this.#dialect };
  }

  #seconds(): number {
    return (performance.now() - this.#began) / 1000;
  }
}

/** The values of the metrics of this process. */
export function processValues(): Promise<MetricValues> {
  return processMetrics().getMetricsAsJSON();
}

let processRegistry: Registry | undefined;

/**
 * Gives metrics of the process: memory, CPU time, open files, event loop lag. Created once, when first read: a process may
 * hold several gateways, and the observers of its event loop and garbage collector cannot be removed again.
 */
function processMetrics(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry, eventLoopMonitoringPrecision: 50 });
  }
  return processRegistry;
}
