// The result of reading a text so far: segments, calls, notes. Made from the library's events alone.

import type { CallDelta, IssueCode, ParseEvent, Range, RepairCode } from '@dragoman/core';
import { meaningOfRepair } from '@dragoman/core/internal';
import { ArgumentMap } from './argument-map.js';
import { kinds } from './kinds.js';
import { SegmentList, type Segments } from './segments.js';

export interface TextReading {
  /** Characters the parser has been given. */
  fed: number;
  /** Characters that are decided. The parser holds back those between here and `fed`. */
  settled: number;
  /** The parser was finished. */
  finished: boolean;
  segments: Segments;
  calls: PageCall[];
  /** In the order of the text. */
  notes: TextNote[];
  /** Characters of each kind, by its index in `kinds`. */
  lengths: number[];
}

export interface PageCall {
  id: string | undefined;
  /** Empty where the model wrote none. */
  name: string;
  /** The arguments as JSON, as far as they are known. */
  raw: string;
  /** `failed`: not delivered. */
  state: 'open' | 'complete' | 'failed';
  /** With the markup around it. */
  range: Range;
  nameRange: Range;
  /** See argument-map.ts. */
  map: Uint32Array;
}

export interface TextNote {
  type: 'issue' | 'repair';
  code: IssueCode | RepairCode;
  range: Range;
  message: string;
  /** The index of the call it is about, or -1. */
  call: number;
}

interface GrowingCall extends Omit<PageCall, 'map' | 'raw'> {
  pieces: string[];
  map: ArgumentMap;
}

/** Collects events as they come. `text` is the text that is read, for the map of arguments. */
export class ReadingBuilder {
  readonly #segments = new SegmentList();
  readonly #calls: GrowingCall[] = [];
  readonly #issues: TextNote[] = [];
  readonly #repairs: TextNote[] = [];
  /** The call that is being read. */
  #open = -1;

  constructor(readonly text: string) {}

  add(events: readonly ParseEvent[]): void {
    for (const event of events) this.#add(event);
  }

  /** Gives the reading so far. Later events do not change it. */
  reading(fed: number, finished: boolean): TextReading {
    const notes = this.#notes();
    const segments = this.#segments.under(notes);
    return {
      fed,
      settled: this.#segments.end,
      finished,
      segments,
      calls: this.#calls.map(({ pieces, map, ...call }) => ({
        ...call,
        raw: joined(pieces),
        map: map.toArray(this.text),
      })),
      notes,
      lengths: lengthsOf(segments),
    };
  }

  #add(event: ParseEvent): void {
    if (event.type === 'call-start') this.#start(event.id, event.name, event.range);
    if (event.type === 'call-error' && this.#open < 0) {
      this.#start(event.id, event.name ?? '', [event.range[0], event.range[0]]);
    }
    this.#segments.add(event, this.#open);
    this.#note(event);
    const call = this.#calls[this.#open];
    if (call) call.range = [call.range[0], event.range[1]];
    if (event.type === 'call-delta') this.#argument(call, event);
    else if (event.type === 'call-end' || event.type === 'call-error') this.#close(event);
  }

  #start(id: string | undefined, name: string, range: Range): void {
    this.#open = this.#calls.length;
    const start = this.#segments.claimMarkup(this.#open);
    const whole: Range = [Math.min(start, range[0]), range[1]];
    const map = new ArgumentMap();
    this.#calls.push({ id, name, state: 'open', range: whole, nameRange: range, pieces: [], map });
  }

  #argument(call: GrowingCall | undefined, { text, range }: CallDelta): void {
    call?.pieces.push(text);
    call?.map.add(text, range);
  }

  #close(event: ParseEvent & { type: 'call-end' | 'call-error' }): void {
    const call = this.#calls[this.#open];
    if (call) {
      call.state = event.type === 'call-end' ? 'complete' : 'failed';
      if (event.name !== undefined) call.name = event.name;
    }
    this.#open = -1;
  }

  #note(event: ParseEvent): void {
    const call = this.#open;
    for (const { code, range, message } of event.issues ?? []) {
      this.#issues.push({ type: 'issue', code, range, message, call });
    }
    for (const { code, range } of event.repairs ?? []) {
      this.#repairs.push({ type: 'repair', code, range, message: meaningOfRepair(code), call });
    }
  }

  #notes(): TextNote[] {
    const notes = [...this.#issues, ...this.#repairs].map((note) => ({ ...note }));
    return notes.sort((a, b) => a.range[0] - b.range[0]);
  }
}

/** Counts the characters of each kind here in the worker, not on the page. */
function lengthsOf({ starts, kinds: each, end }: Segments): number[] {
  const lengths = kinds.map(() => 0);
  for (const [at, kind] of each.entries()) {
    lengths[kind] = (lengths[kind] ?? 0) + (starts[at + 1] ?? end) - (starts[at] ?? 0);
  }
  return lengths;
}

/** Joins the pieces in place, so that each is joined only once. */
export function joined(pieces: string[]): string {
  if (pieces.length > 1) pieces.splice(0, pieces.length, pieces.join(''));
  return pieces[0] ?? '';
}
