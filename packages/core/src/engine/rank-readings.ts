// Ranks the dialects that could have written a text. Every dialect reads it, and the readings are ranked:
//
//   more calls · more calls that were cut or unreadable · fewer issues · fewer markers left in the text · fewer repairs
//
// Readings that are equal in all of these cannot be told apart. They are ordered by how much of the first call is
// spelled exactly as the dialect writes it, then as in the list of dialects.
//
// This is the only ranking: detection, `dragoman explain` and the playground use it. It costs one parse for each
// dialect and one search for markers, so it is linear in the text.

import {
  type CallEnd,
  type CallError,
  type Issue,
  type ParseEvent,
  type Range,
  type Repair,
  type ToolCall,
  toolsByName,
} from '../model/index.js';
import type { Dialect } from './dialect.js';
import { mergeInto } from './event-merge.js';
import { nextOf } from './markers.js';
import { createParser } from './parser.js';
import { Writer } from './writer.js';

export interface RankOptions {
  /** The tools the model had. Their names help to tell calls from prose. */
  tools?: unknown;
  /** Whether the prompt ended inside the reasoning. Absent: derived from the text, for each dialect. */
  thinking?: boolean | undefined;
}

/** A text as one dialect reads it. */
export interface RankedReading {
  dialect: Dialect;
  /** Read as if the prompt had ended inside the reasoning. */
  thinking: boolean;
  /** Neighbouring pieces of the same kind are joined. */
  events: ParseEvent[];
  calls: CallEnd[];
  /** Calls that began and cannot be run: cut off or unreadable. */
  lost: CallError[];
  /** In the order of the text, as the repairs are. */
  issues: Issue[];
  repairs: Repair[];
  /** Markers, of any dialect, that were read as plain text. */
  left: FoundMarker[];
}

/** A marker of some dialect in the text, even where it has no effect. */
export interface FoundMarker {
  range: Range;
  /** The dialects that have it. */
  of: Dialect[];
}

export interface Ranking {
  /** The readings of all dialects, the best first. */
  all: RankedReading[];
  /** The best reading and its equals, the likeliest first. Empty: no dialect recognises a call. */
  fitting: RankedReading[];
  /** Those of `fitting` whose spelling matches the first call for as many characters as the best one's. */
  alike: RankedReading[];
}

export function rankReadings(dialects: readonly Dialect[], text: string, options: RankOptions = {}): Ranking {
  const steps = rankInSteps(dialects, text, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Characters between two pauses: about a millisecond. */
const SLICE = 4096;

/** Does the same as `rankReadings`, but yields after each slice, so that a worker can check for newer input. */
export function* rankInSteps(
  dialects: readonly Dialect[],
  text: string,
  options: RankOptions,
): Generator<undefined, Ranking, undefined> {
  const markers = findMarkers(dialects, text);
  // Read once: every parser would read them again, which costs more than a short text.
  const tools = toolsByName(options.tools);
  const all: RankedReading[] = [];
  for (const dialect of dialects) {
    const thinking = options.thinking ?? closesUnopenedReasoning(dialect, text);
    const events: ParseEvent[] = [];
    const parser = createParser(dialect, { tools, thinking });
    for (let at = 0; at < text.length; at += SLICE) {
      join(events, parser.feed(text.slice(at, at + SLICE)));
      yield;
    }
    join(events, parser.finish());
    all.push(toReading(dialect, thinking, events, markers));
  }
  return rank(all, text);
}

function join(events: ParseEvent[], more: readonly ParseEvent[]): void {
  for (const event of more) {
    const last = events.at(-1);
    if (!last || !mergeInto(last, event)) events.push(event);
  }
}

/** Whether the text closes reasoning that it never opened: then the prompt opened it, if the vendor's prompts do so. */
function closesUnopenedReasoning(
  { traits: { reasoning, startsInReasoning } }: Dialect,
  text: string,
): boolean {
  if (!reasoning || !startsInReasoning) return false;
  const close = text.indexOf(reasoning.close);
  const open = text.indexOf(reasoning.open);
  return close >= 0 && (open < 0 || close < open);
}

function toReading(
  dialect: Dialect,
  thinking: boolean,
  events: ParseEvent[],
  markers: readonly FoundMarker[],
): RankedReading {
  return {
    dialect,
    thinking,
    events,
    calls: events.filter((event) => event.type === 'call-end'),
    lost: events.filter((event) => event.type === 'call-error'),
    issues: events.flatMap(({ issues = [] }) => issues).sort(byPlace),
    repairs: events.flatMap(({ repairs = [] }) => repairs).sort(byPlace),
    left: leftInText(events, markers),
  };
}

function byPlace(a: { range: Range }, b: { range: Range }): number {
  return a.range[0] - b.range[0] || a.range[1] - b.range[1];
}

// ---------------------------------------------------------------- markers

/** Finds all markers in the order of the text, without overlaps. Dialects without a marker in it are skipped. */
function findMarkers(dialects: readonly Dialect[], text: string): FoundMarker[] {
  const standing = dialects.filter(({ markers }) => markers.stands(text));
  const firsts = [...new Set(standing.flatMap(({ markers }) => [...markers.firsts]))].join('');
  const found: FoundMarker[] = [];
  for (let at = nextOf(text, firsts, 0); at < text.length; ) {
    const of = standing.filter(({ markers }) => markers.match(text, at, true) > 0);
    const length = Math.max(0, ...of.map(({ markers }) => markers.match(text, at, true)));
    if (length > 0) found.push({ range: [at, at + length], of });
    at = nextOf(text, firsts, at + Math.max(1, length));
  }
  return found;
}

/** Gives the markers that begin in plain text. Both lists are sorted, so one pass is enough. */
function leftInText(events: readonly ParseEvent[], markers: readonly FoundMarker[]): FoundMarker[] {
  const left: FoundMarker[] = [];
  let at = 0;
  for (const { type, range } of events) {
    for (let marker = markers[at]; marker && marker.range[0] < range[1]; marker = markers[++at])
      if (type === 'text-delta' && marker.range[0] >= range[0]) left.push(marker);
  }
  return left;
}

// ---------------------------------------------------------------- order

function rank(all: RankedReading[], text: string): Ranking {
  all.sort(compare);
  const [best] = all;
  if (!best || !recognises(best)) return { all, fitting: [], alike: [] };
  const fitting = all.filter((one) => compare(best, one) === 0);
  if (fitting.length === 1) return { all, fitting, alike: fitting };
  const same = new Map(fitting.map((one) => [one, spelledAlike(one, text)]));
  const alikeIn = (one: RankedReading) => same.get(one) ?? 0;
  fitting.sort((a, b) => alikeIn(b) - alikeIn(a));
  const most = Math.max(...same.values());
  return {
    all: [...fitting, ...all.slice(fitting.length)],
    fitting,
    alike: fitting.filter((one) => alikeIn(one) === most),
  };
}

/** Compares two readings. Without any call, the dialect that reports more issues of its own format comes first. */
function compare(a: RankedReading, b: RankedReading): number {
  return (
    b.calls.length - a.calls.length ||
    b.lost.length - a.lost.length ||
    (hasCalls(a) ? a.issues.length - b.issues.length : ownIssues(b) - ownIssues(a)) ||
    a.left.length - b.left.length ||
    a.repairs.length - b.repairs.length
  );
}

/** Whether the dialect finds anything in the text: a call, the beginning of one, or an error in its format. */
export function recognises(reading: RankedReading): boolean {
  return hasCalls(reading) || ownIssues(reading) > 0;
}

function hasCalls({ calls, lost }: RankedReading): boolean {
  return calls.length + lost.length > 0;
}

/** Counts the issues about this dialect's own format. */
function ownIssues({ issues }: RankedReading): number {
  return issues.filter(({ code }) => code !== 'foreign-format').length;
}

/** Longer arguments are not compared: dialects differ long before their end. */
const LONGEST_COMPARED = 2000;

/**
 * Counts the characters from the start of the first call on that the dialect would write identically. Of a call that
 * was cut off, only the part before its arguments is compared.
 */
function spelledAlike({ dialect, events }: RankedReading, text: string): number {
  const at = events.findIndex(({ type }) => type === 'call-end' || type === 'call-error');
  const call = events[at];
  if (call?.type !== 'call-end' && call?.type !== 'call-error') return 0;
  const written = text.slice(startOfCall(events, at), call.range[1]).trimStart();
  const own = spell(dialect, call);
  let same = 0;
  while (same < own.length && same < written.length && own[same] === written[same]) same++;
  return same;
}

/** Gives the start of the call, including the markup before its name. */
function startOfCall(events: readonly ParseEvent[], end: number): number {
  let at = end;
  while (at > 0 && events[at]?.type !== 'call-start') at--;
  const before = events[at - 1];
  return (before?.type === 'markup' ? before : events[at])?.range[0] ?? 0;
}

function spell(dialect: Dialect, event: CallEnd | CallError): string {
  const { name = 'f', raw = '' } = event;
  const isWhole = event.type === 'call-end' && raw.length <= LONGEST_COMPARED;
  const call: ToolCall = { type: 'tool-call', id: 'call_1', name, input: {} };
  if (isWhole) Object.assign(call, { input: event.input, raw });
  const out = new Writer(dialect.markers, 'exact');
  try {
    dialect.render.calls(out, [call], { tools: [{ name }], afterText: false });
  } catch {
    // The dialect cannot spell this name or value.
  }
  return out.text.trimStart();
}

// ---------------------------------------------------------------- words

/** Describes what a reading found: `1 call, 2 repairs`. */
export function describeReading({ calls, lost, issues, repairs, left }: RankedReading): string {
  const parts = [
    ...(calls.length > 0 || lost.length === 0 ? [count(calls.length, 'call')] : []),
    ...(lost.length > 0 ? [`${count(lost.length, 'call')} not delivered`] : []),
    ...(issues.length > 0 ? [count(issues.length, 'issue')] : []),
    ...(repairs.length > 0 ? [count(repairs.length, 'repair')] : []),
    ...(left.length > 0 ? [`${count(left.length, 'marker')} left in the text`] : []),
  ];
  return parts.join(', ');
}

function count(n: number, what: string): string {
  return `${n === 0 ? 'no' : n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;
}
