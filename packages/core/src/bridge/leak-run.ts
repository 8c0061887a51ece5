// A run of markup and calls between two pieces of text, as a parser gives it event by event, and what becomes of
// it: calls, and the source of those that cannot be delivered.

import type { CallEnd, CallError, Issue, ParseEvent, Range, Repair } from '../model/index.js';
import { isSpace } from '../text/characters.js';
import type { Segment } from './leak-watch.js';

export interface Run {
  start: number;
  end: number;
  calls: (CallEnd | CallError)[];
  issues: Issue[];
  repairs: Repair[];
}

export function newRun(start: number): Run {
  return { start, end: start, calls: [], issues: [], repairs: [] };
}

export function addEvent(run: Run, event: ParseEvent): Run {
  run.end = event.range[1];
  if (event.type === 'call-end' || event.type === 'call-error') run.calls.push(event);
  if (event.issues) run.issues.push(...event.issues);
  if (event.repairs) run.repairs.push(...event.repairs);
  return run;
}

export function hasCalls(run: Run): boolean {
  return run.calls.length > 0;
}

/** Whether any of its calls may be delivered. */
export function deliverable(run: Run, accepts: (call: CallEnd) => boolean): boolean {
  return run.calls.some((call) => call.type === 'call-end' && accepts(call));
}

/**
 * The calls of a block in order, and the source of those that are not delivered as text between them. What
 * separates the block from the text around it, and its tags, go with the calls.
 */
export function piecesOf(
  run: Run,
  source: string,
  lead: number,
  accepts: (call: CallEnd) => boolean,
): Segment[] {
  const pieces: Segment[] = [];
  let from = run.start + lead;
  let { issues, repairs } = run;
  for (const [at, call] of run.calls.entries()) {
    const last = at === run.calls.length - 1;
    const range: Range = [from, last ? run.end : call.range[1]];
    if (call.type === 'call-end' && accepts(call)) {
      pieces.push({ type: 'call', call, range, issues, repairs });
      // All notes of a block are told once.
      [issues, repairs] = [[], []];
    } else {
      pieces.push({ type: 'text', text: source.slice(range[0] - run.start, range[1] - run.start), range });
    }
    from = range[1];
  }
  return pieces;
}

/** What stands behind the last call of a run. */
export function tailOf(run: Run, source: string): string {
  const last = run.calls.at(-1);
  return last ? source.slice(last.range[1] - run.start) : '';
}

/** White space and tags of reasoning before the first tag of a run. */
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

/** The same event at its place in the whole text. */
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
