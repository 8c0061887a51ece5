// Looks for leaked calls of several dialects at once. Text goes out when all watches have released it. The first call
// decides: from there on only its dialect is read. Where two read the same characters as a call, the one with fewer
// issues and repairs wins.

import type { Dialect } from '../../engine/dialect.js';
import type { Issue } from '../../model/index.js';
import { type LeakSegment, LeakWatch, type LeakWatcher, type LeakWatchOptions } from './leak-watch.js';

export function createLeakWatch(dialects: readonly Dialect[], options: LeakWatchOptions): LeakWatcher {
  const watches = dialects.map((dialect) => new LeakWatch(dialect, options));
  const [only] = watches;
  return only && watches.length === 1 ? only : new LeakWatches(watches);
}

class LeakWatches implements LeakWatcher {
  readonly issues: Issue[] = [];
  readonly #watches: readonly LeakWatch[];
  /** What each watch has released and not all others have. */
  readonly #queues: LeakSegment[][];
  readonly #ends: number[];
  #released = 0;

  constructor(watches: readonly LeakWatch[]) {
    this.#watches = watches;
    this.#queues = watches.map(() => []);
    this.#ends = watches.map(() => 0);
  }

  feed(chunk: string): LeakSegment[] {
    for (const [at, watch] of this.#watches.entries()) this.#add(at, watch.feed(chunk));
    return this.#release(0, Math.min(...this.#ends));
  }

  finish(end?: { cut?: boolean }): LeakSegment[] {
    for (const [at, watch] of this.#watches.entries()) this.#add(at, watch.finish(end));
    const winner = this.#winner();
    this.issues.push(...(this.#watches[winner ?? 0]?.issues ?? []));
    this.#addQuoted(winner ?? 0);
    return this.#release(winner ?? 0, Number.POSITIVE_INFINITY);
  }

  #add(at: number, segments: LeakSegment[]): void {
    this.#queues[at]?.push(...segments);
    this.#ends[at] = segments.at(-1)?.range[1] ?? this.#ends[at] ?? 0;
  }

  /** Takes the segments of this watch up to `end`, and drops those of the others up to there. */
  #release(at: number, end: number): LeakSegment[] {
    const taken = takeUntil(this.#queues[at] ?? [], end);
    this.#released = Math.max(this.#released, taken.at(-1)?.range[1] ?? 0);
    for (const queue of this.#queues) takeUntil(queue, this.#released);
    return taken;
  }

  /** Adds the calls that only other watches read, and that stay text: the first watch at a place reports it. */
  #addQuoted(winner: number): void {
    const calls = (this.#queues[winner] ?? []).filter(({ type }) => type === 'call');
    const taken = [...this.issues, ...calls].map(({ range }) => range);
    for (const [at, { issues }] of this.#watches.entries())
      for (const issue of at === winner ? [] : issues) {
        const { code, range } = issue;
        if (code !== 'quoted-call' || taken.some((one) => one[0] < range[1] && range[0] < one[1])) continue;
        taken.push(range);
        this.issues.push(issue);
      }
  }

  #winner(): number | undefined {
    let winner: number | undefined;
    let best: number[] = [];
    for (const [at, queue] of this.#queues.entries()) {
      const call = queue.find(({ type }) => type === 'call');
      if (call?.type !== 'call') continue;
      const rank = [call.range[0], call.issues.length + call.repairs.length];
      if (winner !== undefined && !comesFirst(rank, best)) continue;
      [winner, best] = [at, rank];
    }
    return winner;
  }
}

function comesFirst([start = 0, notes = 0]: number[], [otherStart = 0, otherNotes = 0]: number[]): boolean {
  return start < otherStart || (start === otherStart && notes < otherNotes);
}

/** Takes segments from the front up to `end`; text is cut there. */
function takeUntil(queue: LeakSegment[], end: number): LeakSegment[] {
  let count = 0;
  while (count < queue.length && (queue[count] as LeakSegment).range[1] <= end) count++;
  const taken = queue.splice(0, count);
  const [next] = queue;
  if (next?.type !== 'text' || next.range[0] >= end) return taken;
  const length = end - next.range[0];
  taken.push({ type: 'text', text: next.text.slice(0, length), range: [next.range[0], end] });
  queue[0] = { type: 'text', text: next.text.slice(length), range: [end, next.range[1]] };
  return taken;
}
