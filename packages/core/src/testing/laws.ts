// The laws of every dialect, as functions that can test any dialect. Each returns how much it tried and what broke;
// nothing is thrown.

import type { Dialect } from '../engine/dialect.js';
import { mergeInto } from '../engine/event-merge.js';
import { hasMarker } from '../engine/markers.js';
import { collect, type ParsedAnswer, parse } from '../engine/parse.js';
import { createParser } from '../engine/parser.js';
import type { ParserOptions } from '../engine/parser-options.js';
import type { ParseEvent } from '../model/index.js';
import { prepareTools } from '../model/prepared-tools.js';
import type { Random } from './random.js';
import { type RandomTurn, randomTurn, spellTurn } from './turns.js';

export interface LawReport {
  law: string;
  tried: number;
  failures: string[];
}

/** One model output to test the laws with. */
export interface Sample {
  text: string;
  options?: ParserOptions;
}

const SHOWN = 5;

class Trial {
  tried = 0;
  readonly failures: string[] = [];
  constructor(readonly law: string) {}
  check(ok: boolean, message: () => string): boolean {
    this.tried++;
    if (!ok && this.failures.length < SHOWN) this.failures.push(message());
    return ok;
  }
  report(): LawReport {
    return { law: this.law, tried: this.tried, failures: this.failures };
  }
}

/** Gives all events of a text that arrives in the given pieces. */
export function eventsOf(
  dialect: Dialect,
  pieces: Iterable<string>,
  options: ParserOptions = {},
): ParseEvent[] {
  const parser = createParser(dialect, options);
  const events: ParseEvent[] = [];
  for (const piece of pieces) events.push(...parser.feed(piece));
  events.push(...parser.finish());
  return events;
}

/** Joins neighbouring deltas of the same kind: the result must be equal for every chunking of a text. */
export function coalesce(events: readonly ParseEvent[]): ParseEvent[] {
  const joined: ParseEvent[] = [];
  for (const event of events) {
    const copy = { ...event };
    if (event.issues) copy.issues = [...event.issues];
    if (event.repairs) copy.repairs = event.repairs.map((repair) => ({ ...repair }));
    const last = joined.at(-1);
    if (last && mergeInto(last, copy)) continue;
    joined.push(copy);
  }
  return joined;
}

/** Gives the coalesced events as one string, equal for every chunking of a text. */
export function fingerprint(events: readonly ParseEvent[]): string {
  return JSON.stringify(
    coalesce(events).map((event) => Object.entries(event).sort(([a], [b]) => (a < b ? -1 : 1))),
  );
}

/** Whether the events agree: the same as equal fingerprints, at a fraction of the cost. */
function agree(events: readonly ParseEvent[], joined: readonly ParseEvent[]): boolean {
  return isSame(coalesce(events), joined);
}

/** Lists the issues and repairs of the events as they came, each with its place: what a client counts. */
function notesOf(events: readonly ParseEvent[]): unknown[] {
  return [events.flatMap(({ issues = [] }) => issues), events.flatMap(({ repairs = [] }) => repairs)];
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const ours = a as Record<string, unknown>;
  const theirs = b as Record<string, unknown>;
  const keys = Object.keys(ours);
  if (keys.length !== Object.keys(theirs).length) return false;
  for (const key of keys) if (!Object.hasOwn(theirs, key) || !isSame(ours[key], theirs[key])) return false;
  return true;
}

/** Replaces the tools by kept ones: accepted once, not again for each of a thousand chunkings. */
function withKeptTools(options: ParserOptions = {}): ParserOptions {
  return options.tools === undefined ? options : { ...options, tools: prepareTools(options.tools) };
}

// ---------------------------------------------------------------- 1. chunking

export interface ChunkingEffort {
  /** All two-cut splits of texts up to this length; sampled beyond. */
  twoCuts: number;
  random: number;
}

/** Any chunking of the text gives the same events, and the same list of issues and repairs. */
export function chunking(
  dialect: Dialect,
  samples: readonly Sample[],
  random: Random,
  effort: ChunkingEffort,
): LawReport {
  const trial = new Trial('chunking');
  for (const { text, options: given } of samples) {
    const options = withKeptTools(given);
    const events = eventsOf(dialect, [text], options);
    const notes = notesOf(events);
    const whole = coalesce(events);
    const same = (pieces: string[]) => {
      const cut = eventsOf(dialect, pieces, options);
      trial.check(
        agree(cut, whole) && isSame(notesOf(cut), notes),
        () => `${JSON.stringify(pieces)} differs from the whole text`,
      );
    };
    same(text.split(''));
    for (let at = 1; at < text.length; at++) same([text.slice(0, at), text.slice(at)]);
    if (text.length <= effort.twoCuts) {
      for (let a = 1; a < text.length; a++)
        for (let b = a + 1; b < text.length; b++) same([text.slice(0, a), text.slice(a, b), text.slice(b)]);
    }
    for (let n = 0; n < effort.random; n++) same(randomCuts(random, text));
  }
  return trial.report();
}

export function randomCuts(random: Random, text: string): string[] {
  const most = 1 + random.int(12);
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const length = 1 + random.int(most);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

// ---------------------------------------------------------------- 2. nothing lost

/** Ranges tile the text, text and reasoning are the characters of their ranges, and calls open and close properly. */
export function nothingLost(dialect: Dialect, samples: readonly Sample[]): LawReport {
  const trial = new Trial('nothing lost');
  for (const { text, options } of samples) {
    const events = eventsOf(dialect, [text], options);
    trial.check(tiles(events, text), () => `ranges do not tile ${JSON.stringify(text)}`);
    trial.check(wellNested(events), () => `calls do not open and close in ${JSON.stringify(text)}`);
    trial.check(saysWhatStands(events, text), () => `text differs from its range in ${JSON.stringify(text)}`);
  }
  return trial.report();
}

function tiles(events: readonly ParseEvent[], text: string): boolean {
  let at = 0;
  for (const { range } of events) {
    if (range[0] !== at || range[1] < at) return false;
    at = range[1];
  }
  return at === text.length;
}

function saysWhatStands(events: readonly ParseEvent[], text: string): boolean {
  return events.every((event) => {
    if (event.type !== 'text-delta' && event.type !== 'reasoning-delta') return true;
    return event.text === text.slice(event.range[0], event.range[1]);
  });
}

function wellNested(events: readonly ParseEvent[]): boolean {
  let open: string | undefined;
  const seen = new Set<string>();
  for (const event of events) {
    if (event.type === 'call-start') {
      if (open !== undefined || seen.has(event.id) || event.id === '') return false;
      open = event.id;
      seen.add(open);
    } else if (event.type === 'call-delta') {
      if (event.id !== open) return false;
    } else if (event.type === 'call-end' || (event.type === 'call-error' && event.id !== undefined)) {
      if (event.id !== open) return false;
      open = undefined;
    }
  }
  return open === undefined;
}

// ---------------------------------------------------------------- 3. round trip

/** A rendered turn is parsed back unchanged and without repairs, for names, keys and values full of markers. */
export function roundTrip(
  dialect: Dialect,
  pieces: readonly string[],
  random: Random,
  runs: number,
): LawReport {
  const trial = new Trial('round trip');
  for (let n = 0; n < runs; n++) {
    const turn = randomTurn(random, pieces);
    const spelled = spellTurn(dialect, turn);
    const answer = parse(dialect, spelled.text, { tools: turn.tools, thinking: spelled.thinking });
    const problem = difference(dialect, turn, answer);
    trial.check(problem === undefined, () => `${problem}; written: ${JSON.stringify(spelled.text)}`);
  }
  return trial.report();
}

function difference(dialect: Dialect, turn: RandomTurn, answer: ParsedAnswer): string | undefined {
  if (answer.text !== turn.text)
    return `text ${JSON.stringify(answer.text)} is not ${JSON.stringify(turn.text)}`;
  const { close = '' } = dialect.traits.reasoning ?? {};
  const said = dialect.render.text ? turn.reasoning.replaceAll(close, '') : turn.reasoning;
  const reasoning = close ? said : '';
  if (answer.reasoning !== reasoning)
    return `reasoning ${JSON.stringify(answer.reasoning)} is not ${JSON.stringify(reasoning)}`;
  if (answer.calls.length !== turn.calls.length)
    return `${answer.calls.length} calls are not ${turn.calls.length}`;
  for (const [at, call] of turn.calls.entries()) {
    const read = answer.calls[at];
    const same =
      read?.name === call.name && read.raw !== undefined && isSame(JSON.parse(read.raw), call.input);
    if (!same) return `call ${JSON.stringify(read)} is not ${JSON.stringify(call)}`;
    if (dialect.traits.ids && read?.id !== call.id) return `id ${read?.id} is not ${call.id}`;
  }
  return generously(turn, answer);
}

/**
 * Names a repair in our own rendering, where none may be needed. The exception: arguments with a key that no tag can
 * hold are written as one JSON object, which a dialect may count as a repair.
 */
function generously(turn: RandomTurn, { repairs }: ParsedAnswer): string | undefined {
  const plain = turn.calls.every(({ input }) => Object.keys(input).every((key) => /^\w+$/.test(key)));
  const codes = new Set(repairs.map(({ code }) => code));
  if (!plain) codes.delete('json-body');
  return codes.size > 0 ? `it is read with repairs: ${[...codes].join(', ')}` : undefined;
}

// ---------------------------------------------------------------- 4. no leak

/** A well-formed output leaves no marker of the dialect in the text. */
export function noLeak(dialect: Dialect, samples: readonly Sample[]): LawReport {
  const trial = new Trial('no leak');
  for (const { text, options } of samples) {
    const answer = parse(dialect, text, options);
    trial.check(
      !hasMarker(answer.text, dialect.markers),
      () => `a marker is left in ${JSON.stringify(answer.text)}`,
    );
  }
  return trial.report();
}

// ---------------------------------------------------------------- 5. total

/** Any random text ends in events, never in a throw, and its chunks agree with the whole. */
export function total(
  dialect: Dialect,
  texts: Iterable<string>,
  random: Random,
  given: ParserOptions = {},
): LawReport {
  const trial = new Trial('total');
  const options = withKeptTools(given);
  for (const text of texts) {
    const problem = troubleWith(dialect, text, randomCuts(random, text), options);
    trial.check(problem === undefined, () => `${problem}: ${JSON.stringify(text)}`);
  }
  return trial.report();
}

function troubleWith(
  dialect: Dialect,
  text: string,
  pieces: string[],
  options: ParserOptions,
): string | undefined {
  try {
    const whole = eventsOf(dialect, [text], options);
    const cut = eventsOf(dialect, pieces, options);
    if (!tiles(whole, text)) return 'ranges do not tile';
    if (!wellNested(whole)) return 'calls do not open and close';
    if (!saysWhatStands(whole, text)) return 'text differs from its range';
    if (!isMonotone(cut)) return 'deltas do not make up the arguments';
    if (!isSame(notesOf(cut), notesOf(whole))) return `cut as ${JSON.stringify(pieces)} it has other notes`;
    if (!agree(cut, coalesce(whole))) return `cut as ${JSON.stringify(pieces)} it differs`;
    return undefined;
  } catch (error) {
    return `throws ${String(error)}`;
  }
}

/** Text outside calls is held back by no more than `bound` characters. */
export function promptText(dialect: Dialect, texts: Iterable<string>, bound: number): LawReport {
  const trial = new Trial('prompt text');
  for (const text of texts) {
    const parser = createParser(dialect);
    let said = 0;
    let worst = 0;
    for (let at = 0; at < text.length; at++) {
      for (const event of parser.feed(text.charAt(at))) said = event.range[1];
      worst = Math.max(worst, at + 1 - said);
    }
    trial.check(worst <= bound, () => `${worst} characters held back in ${JSON.stringify(text)}`);
  }
  return trial.report();
}

// ---------------------------------------------------------------- 6. pure

/** The same text gives the same events, also when two parsers run interleaved. */
export function pure(dialect: Dialect, samples: readonly Sample[]): LawReport {
  const trial = new Trial('pure');
  for (const { text, options } of samples) {
    const alone = JSON.stringify(eventsOf(dialect, [...text], options));
    const [a, b] = [createParser(dialect, options), createParser(dialect, options)];
    const left: ParseEvent[] = [];
    const right: ParseEvent[] = [];
    for (const char of text) {
      left.push(...a.feed(char));
      right.push(...b.feed(char));
    }
    left.push(...a.finish());
    right.push(...b.finish());
    trial.check(
      JSON.stringify(left) === alone && JSON.stringify(right) === alone,
      () => `two readings differ of ${JSON.stringify(text)}`,
    );
  }
  return trial.report();
}

// ---------------------------------------------------------------- 7. monotone arguments

/** The deltas of a call concatenate to its JSON, which is its input. */
export function monotone(dialect: Dialect, samples: readonly Sample[]): LawReport {
  const trial = new Trial('monotone arguments');
  for (const { text, options } of samples) {
    const events = eventsOf(dialect, text.split(''), options);
    trial.check(isMonotone(events), () => `deltas do not make up the arguments in ${JSON.stringify(text)}`);
  }
  return trial.report();
}

function isMonotone(events: readonly ParseEvent[]): boolean {
  const raw = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'call-delta') raw.set(event.id, (raw.get(event.id) ?? '') + event.text);
    if (event.type !== 'call-end') continue;
    const text = raw.get(event.id) ?? '';
    if (text !== event.raw) return false;
    if (JSON.stringify(JSON.parse(event.raw)) !== JSON.stringify(event.input)) return false;
  }
  return true;
}

// ---------------------------------------------------------------- 8. truncation

/** An output cut anywhere delivers only complete calls: calls that the whole output delivers, unchanged. */
export function truncation(dialect: Dialect, samples: readonly Sample[]): LawReport {
  const trial = new Trial('truncation');
  for (const { text, options: given } of samples) {
    const options = withKeptTools(given);
    const whole = parse(dialect, text, options).calls;
    for (let end = 0; end < text.length; end++) {
      const { calls } = collect(eventsOf(dialect, [text.slice(0, end)], options));
      const kept = calls.every(({ name, raw }, at) => whole[at]?.name === name && whole[at]?.raw === raw);
      trial.check(kept, () => `${JSON.stringify(text.slice(0, end))} delivers ${JSON.stringify(calls)}`);
    }
  }
  return trial.report();
}
