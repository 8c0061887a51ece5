// Records one exchange for the inspector, each part within its share of the memory.

import type { JsonValue, Report, Usage } from '@dragoman/core';
import type { BridgeEvent } from '@dragoman/core/bridge';
import type { ExchangeInfo, ExchangeWatch } from '../services.js';
import { boundedCopy, cutText } from './bounded-copy.js';
import type { ExchangeRecord, ExchangeSummary, InspectorEvent, SummaryEvent } from './inspector-shapes.js';
import { RecordedAnswer } from './recorded-answer.js';
import { RecordedAttempt } from './recorded-attempt.js';
import { Share } from './share.js';
import type { SentRequest } from './stable-prefix.js';

export interface RecordingOptions {
  id: string;
  exchange: ExchangeInfo;
  /** Characters. */
  maxSize: number;
  /** Called with the number of characters that were added. */
  onGrow: (size: number) => void;
  /** The listener of live events, looked up each time so that no event is built without one. */
  live: () => ((event: InspectorEvent) => void) | undefined;
}

interface ReportNumbers {
  issues: number;
  repairs: number;
  copy: JsonValue;
}

type ExchangeOutcome = Parameters<NonNullable<ExchangeWatch['end']>>[0];

/** The longest live event, in characters. */
const MAX_LIVE = 64 * 1024;
const MAX_MESSAGE = 4096;
/** Milliseconds between two progress events of an exchange. */
const PROGRESS_EVERY = 250;

export class RecordedExchange implements ExchangeWatch {
  size = 0;
  readonly #began = performance.now();
  readonly #time = new Date().toISOString();
  readonly #options: RecordingOptions;
  readonly #shares: Record<ExchangeRecord['cut'][number], Share>;
  #model: { name: string; upstream: string; dialect?: string } | undefined;
  #request: { stream: boolean; copy: ExchangeRecord['request'] } | undefined;
  readonly #attempts: RecordedAttempt[] = [];
  readonly #answer: RecordedAnswer;
  #usage: Usage | undefined;
  #report: (Pick<Report, 'mode' | 'dialect' | 'upstream'> & ReportNumbers) | undefined;
  /** Which of several endpoints was asked last, and how often the request moved to another. */
  #endpoint: string | undefined;
  #moves = 0;
  #reasks = 0;
  #received = 0;
  #told = 0;
  #mended: JsonValue | undefined;
  #refused: string | undefined;
  #firstByte: number | undefined;
  #end: { outcome: ExchangeOutcome; duration: number } | undefined;

  constructor(options: RecordingOptions) {
    this.#options = options;
    const grow = (size: number) => {
      this.size += size;
      options.onGrow(size);
    };
    const share = (part: number) => new Share(Math.floor(options.maxSize / part), grow);
    this.#shares = { request: share(4), sent: share(4), text: share(4), events: share(8), answer: share(8) };
    this.#answer = new RecordedAnswer(this.#shares.answer);
    this.#tell('exchange-begin');
  }

  get id(): string {
    return this.#options.id;
  }

  // --- recording -------------------------------------------------------------------------------------------

  model(model: { name: string; upstream: string; dialect?: string }): void {
    this.#model = { ...model, name: cutText(model.name, 256) };
    this.#tell('exchange-model');
  }

  event(event: BridgeEvent): void {
    const at = this.#now();
    if (event.type === 'upstream-text') {
      this.#received += event.text.length;
      this.#attemptOf(event)?.received(event.text, at);
    } else if (event.type === 'parse') this.#attemptOf(event)?.parsed(event.event, at);
    else if (event.type === 'answer') this.#answered(event.event);
    else if (event.type === 'upstream-request') {
      this.#attempts.push(new RecordedAttempt(event, this.#shares, at, this.#endpoint));
    } else if (event.type === 'upstream-members') this.#attemptOf(event)?.added(event.members);
    else if (event.type === 'endpoint') {
      this.#endpoint = cutText(event.name, 256);
      if (event.moved) this.#moves++;
    } else if (event.type === 'request') {
      this.#request = { stream: event.request.stream, copy: this.#shares.request.copy(event.request) };
    } else if (event.type === 'reask') {
      this.#reasks++;
      this.#attempts.findLast(({ choice }) => choice === event.reask.choice)?.asked(event.reask.reasons);
    } else if (event.type === 'mended') this.#mended = this.#shares.request.copy(event.mended);
    else this.#refused = cutText(event.message, MAX_MESSAGE);
    this.#pass(event, at);
    if (at - this.#told >= PROGRESS_EVERY) this.#progress(at);
  }

  firstByte(): void {
    if (this.#firstByte !== undefined) return;
    this.#firstByte = this.#now();
    this.#progress(this.#firstByte);
  }

  end(outcome: ExchangeOutcome): void {
    if (this.#end) return;
    this.#end = { outcome, duration: this.#now() };
    this.#tell('exchange-end');
  }

  #attemptOf({ choice, attempt }: { choice: number; attempt: number }): RecordedAttempt | undefined {
    return this.#attempts.findLast((one) => one.choice === choice && one.attempt === attempt);
  }

  #answered(event: Extract<BridgeEvent, { type: 'answer' }>['event']): void {
    if (event.type === 'usage') this.#usage = event.usage;
    else if (event.type === 'report') {
      const { mode, dialect, upstream, issues, repairs } = event.report;
      this.#report = {
        mode,
        ...(dialect !== undefined && { dialect }),
        ...(upstream !== undefined && { upstream: cutText(upstream, 256) }),
        issues: issues.length,
        repairs: repairs.length,
        copy: this.#shares.answer.copy(event.report),
      };
    } else this.#answer.read(event);
  }

  #now(): number {
    return Math.round((performance.now() - this.#began) * 10) / 10;
  }

  // --- live events -----------------------------------------------------------------------------------------

  #tell(type: SummaryEvent['type']): void {
    this.#options.live()?.({ type, id: this.id, exchange: this.summary() });
  }

  #progress(at: number): void {
    this.#told = at;
    this.#tell('exchange-progress');
  }

  #pass(event: BridgeEvent, at: number): void {
    const live = this.#options.live();
    if (!live) return;
    const attempt = event.type === 'upstream-request' ? this.#attempts.at(-1)?.head : undefined;
    live(liveEvent({ id: this.id, at }, event, attempt));
  }

  // --- serving ---------------------------------------------------------------------------------------------

  summary(): ExchangeSummary {
    const { exchange } = this.#options;
    const report = this.#report;
    const dialect = report?.dialect ?? this.#model?.dialect;
    const outcome = this.#end?.outcome;
    return {
      id: this.id,
      time: this.#time,
      api: exchange.api,
      ...(exchange.key !== undefined && { key: exchange.key }),
      ...(this.#model && {
        model: this.#model.name,
        upstream: report?.upstream ?? this.#endpoint ?? this.#model.upstream,
      }),
      ...(dialect !== undefined && { dialect }),
      ...(report && { mode: report.mode }),
      ...(this.#request && { stream: this.#request.stream }),
      open: outcome === undefined,
      ...(outcome && { status: outcome.status }),
      ...(outcome?.error && {
        error: { code: outcome.error.code, message: cutText(outcome.error.message, MAX_MESSAGE) },
      }),
      ...(outcome?.left && { left: true }),
      ...(this.#firstByte !== undefined && { firstByte: this.#firstByte }),
      ...(this.#end && { duration: this.#end.duration }),
      received: this.#received,
      calls: this.#answer.calls,
      issues: report?.issues ?? 0,
      repairs: report?.repairs ?? 0,
      reasks: this.#reasks,
      ...(this.#moves > 0 && { moves: this.#moves }),
    };
  }

  /** What was sent to the upstream first, and what came back; undefined if it was cut or is not known. */
  sent(): SentRequest | undefined {
    const [first] = this.#attempts;
    if (!first || this.#shares.sent.cut || this.#shares.text.cut) return undefined;
    return { id: this.id, attempt: first.record() };
  }

  /** Whether both may share a prefix cache. */
  isOf({ key, model }: ExchangeSummary): boolean {
    return this.#options.exchange.key === key && this.#model?.name === model;
  }

  record(): ExchangeRecord {
    const shares = Object.entries(this.#shares) as [ExchangeRecord['cut'][number], Share][];
    return {
      ...this.summary(),
      ...(this.#request?.copy !== undefined && { request: this.#request.copy }),
      attempts: this.#attempts.map((attempt) => attempt.record()),
      answer: this.#answer.record(),
      ...(this.#usage && { usage: this.#usage }),
      ...(this.#report && { report: this.#report.copy }),
      ...(this.#refused !== undefined && { toolsRefused: this.#refused }),
      ...(this.#mended !== undefined && { mended: this.#mended }),
      cut: shares.filter(([, share]) => share.cut).map(([name]) => name),
    };
  }
}

function liveEvent(
  place: { id: string; at: number },
  event: BridgeEvent,
  head?: RecordedAttempt['head'],
): InspectorEvent {
  const copy = (value: unknown) => boundedCopy(value, MAX_LIVE).value;
  const { type } = event;
  if (type === 'upstream-text') return { ...event, ...place, text: cutText(event.text, MAX_LIVE) };
  if (type === 'upstream-members') return { ...event, ...place, members: copy(event.members) };
  if (type === 'parse') return { ...event, ...place, event: copy(event.event) };
  if (type === 'answer') return { type, ...place, event: copy(event.event) };
  if (type === 'reask') return { type, ...place, reask: copy(event.reask) };
  if (type === 'tools-refused') return { type, ...place, message: cutText(event.message, MAX_MESSAGE) };
  if (type === 'mended') return { type, ...place, mended: copy(event.mended) };
  if (type === 'endpoint')
    return { type, ...place, name: event.name, ...(event.moved && { moved: copy(event.moved) }) };
  if (type === 'request') return { type, ...place, request: copy(event.request) };
  const { choice, attempt, request } = event;
  return {
    type,
    ...place,
    choice,
    attempt,
    sent: head?.sent ?? { messages: [] },
    settings: copy(request.settings),
  };
}
