// A run of markup and calls between two pieces of text, gathered from a parser's events. It becomes calls, and text for
// the calls that cannot be delivered.

import type { Opener } from '../../engine/dialect.js';
import { addRepair } from '../../engine/event-merge.js';
import type { CallEnd, CallError, Issue, ParseEvent, Range, Repair } from '../../model/index.js';
import { isSpace } from '../../text/characters.js';
import type { EchoText } from './echo-text.js';
import type { LeakSegment } from './leak-watch.js';

interface RunCall {
  event: CallEnd | CallError;
  /** The position of its name. */
  named: number;
}

export interface CallRun {
  start: number;
  end: number;
  calls: RunCall[];
  /** The position of the name of the call that is being read. */
  named: number | undefined;
  issues: Issue[];
  repairs: Repair[];
}

/** How a run is read: where calls begin, and which may be delivered. */
export interface RunReading {
  openers: readonly Opener[];
  accepts: (call: CallEnd) => boolean;
}

export function newRun(start: number): CallRun {
  return { start, end: start, calls: [], named: undefined, issues: [], repairs: [] };
}

export function addEvent(run: CallRun, event: ParseEvent): CallRun {
  run.end = event.range[1];
  if (event.type === 'call-start') run.named = event.range[0];
  if (event.type === 'call-end' || event.type === 'call-error') {
    run.calls.push({ event, named: run.named ?? event.range[0] });
    run.named = undefined;
  }
  if (event.issues) run.issues.push(...event.issues);
  for (const repair of event.repairs ?? []) addRepair(run.repairs, { ...repair });
  return run;
}

export function hasCalls(run: CallRun): boolean {
  return run.calls.length > 0;
}

/** Whether any of its calls may be delivered. */
export function deliverable(run: CallRun, accepts: (call: CallEnd) => boolean): boolean {
  return run.calls.some(({ event }) => event.type === 'call-end' && accepts(event));
}

/** Marks the calls that are copied from the input. The parser marked those that are copied word for word. */
export function markEchoes(run: CallRun, source: string, lead: number, input: EchoText): void {
  let from = lead;
  for (const call of run.calls) {
    const { event } = call;
    const text = source.slice(from, event.range[1] - run.start);
    from = event.range[1] - run.start;
    if (event.type !== 'call-end' || event.issues?.some(({ code }) => code === 'suspected-echo')) continue;
    if (!input.has(text)) continue;
    const message = 'This call stands in untrusted input, spelled another way.';
    const issue: Issue = { code: 'suspected-echo', range: event.range, message };
    call.event = { ...event, issues: [...(event.issues ?? []), issue] };
    run.issues.push(issue);
  }
}

/**
 * Gives the calls of a block in order; those that are not delivered become text between them. The white space around
 * the block, and its tags, belong to the calls.
 */
export function piecesOf(
  run: CallRun,
  source: string,
  lead: number,
  { openers, accepts }: RunReading,
): LeakSegment[] {
  const pieces: LeakSegment[] = [];
  let from = run.start + lead;
  let { issues, repairs } = run;
  for (const [at, { event }] of run.calls.entries()) {
    const next = run.calls[at + 1];
    const end = next
      ? run.start + openerIn(source, event.range[1] - run.start, next.named - run.start, openers)
      : run.end;
    const range: Range = [from, end];
    const text = source.slice(from - run.start, end - run.start);
    if (event.type === 'call-end' && accepts(event)) {
      pieces.push({ type: 'call', call: event, source: text, range, issues, repairs });
      // The first call of a block carries all its issues and repairs.
      [issues, repairs] = [[], []];
    } else {
      pieces.push({ type: 'text', text, range });
    }
    from = end;
  }
  return pieces;
}

/** Gives where the next call begins, between the end of one and the name of the next. */
function openerIn(source: string, from: number, to: number, openers: readonly Opener[]): number {
  for (let at = from; at < to; at++) {
    if (openers.some(({ message, match }) => message !== 'quoted' && match(source, at, true) > 0)) return at;
  }
  return Math.max(from, source.lastIndexOf('<', to - 1), source.lastIndexOf('{', to - 1));
}

/** Gives the source after the last call of a run. */
export function tailOf(run: CallRun, source: string): string {
  const last = run.calls.at(-1);
  return last ? source.slice(last.event.range[1] - run.start) : '';
}

/** Measures white space and reasoning tags before the first tag of a run. */
export function leadOf(
  source: string,
  reasoning: { open: string; close: string } | undefined,
): { length: number; tags: boolean } {
  let at = 0;
  let tags = false;
  for (;;) {
    while (at < source.length && isSpace(source.charCodeAt(at))) at++;
    const tag = [reasoning?.open, reasoning?.close].find((one) => one && source.startsWith(one, at));
    if (!tag) return { length: at, tags };
    at += tag.length;
    tags = true;
  }
}

/** Gives the event with its ranges moved to their place in the whole text. */
export function shiftEvent<E extends ParseEvent>(event: E, by: number): E {
  if (by === 0) return event;
  const shift = ([start, end]: Range): Range => [start + by, end + by];
  return {
    ...event,
    range: shift(event.range),
    ...(event.issues && { issues: event.issues.map((issue) => ({ ...issue, range: shift(issue.range) })) }),
    ...(event.repairs && {
      repairs: event.repairs.map(({ code, range }) => ({ code, range: shift(range) })),
    }),
  };
}
