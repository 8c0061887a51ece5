// Holds what waits for the end of an answer: blocks of calls that may yet turn out to be quoted, and everything after
// the first of them. What comes before goes out at once.

import { type CallRun, piecesOf, type RunReading } from './leak-run.js';
import type { LeakSegment } from './leak-watch.js';
import type { CallPlace } from './quote-scan.js';

/** A block of calls that may be quoted, with the white space around it. */
export interface CallBlock {
  place: CallPlace;
  run: CallRun;
  source: string;
  /** How much of the source precedes its first tag. */
  lead: number;
}

export class LeakHold {
  /** The number of characters after the first block that waits. */
  length = 0;
  calls = 0;
  #items: (LeakSegment | CallBlock)[] = [];
  #out: LeakSegment[] = [];

  /** `onQuoted` is told each block that becomes text. */
  constructor(readonly onQuoted: (block: CallBlock) => void) {}

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  /** Gives what can go out since the last time. */
  take(): LeakSegment[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  push(segment: LeakSegment): void {
    const items = this.isEmpty ? this.#out : this.#items;
    const last = items.at(-1);
    if (!this.isEmpty) this.length += segment.range[1] - segment.range[0];
    if (last && 'type' in last && last.type !== 'call' && last.type === segment.type) {
      last.text += segment.text;
      last.range = [last.range[0], segment.range[1]];
    } else items.push(segment);
  }

  wait(block: CallBlock): void {
    if (!this.isEmpty) this.length += block.source.length;
    this.calls += block.run.calls.length;
    this.#items.push(block);
  }

  /** Releases, in order, everything up to the first block that is not quoted. */
  release(isQuoted: (place: CallPlace) => boolean): void {
    let done = 0;
    for (const item of this.#items) {
      if (!('type' in item) && !isQuoted(item.place)) break;
      this.#out.push('type' in item ? item : this.#asText(item));
      done++;
    }
    this.#drop(done);
  }

  /** Releases everything at the end of the answer: blocks that are not quoted become calls. */
  deliver(isQuoted: (place: CallPlace) => boolean, reading: RunReading): void {
    for (const item of this.#items) {
      if ('type' in item) this.#out.push(item);
      else if (isQuoted(item.place)) this.#out.push(this.#asText(item));
      else this.#out.push(...piecesOf(item.run, item.source, item.lead, reading));
    }
    this.#drop(this.#items.length);
  }

  #asText(block: CallBlock): LeakSegment {
    const { run, source } = block;
    this.onQuoted(block);
    return { type: 'text', text: source, range: [run.start, run.end] };
  }

  #drop(count: number): void {
    for (const item of this.#items.splice(0, count))
      if (!('type' in item)) this.calls -= item.run.calls.length;
    const [first] = this.#items;
    const last = this.#items.at(-1);
    this.length = first && last ? endOf(last) - endOf(first) : 0;
  }
}

function endOf(item: LeakSegment | CallBlock): number {
  return 'type' in item ? item.range[1] : item.run.end;
}
