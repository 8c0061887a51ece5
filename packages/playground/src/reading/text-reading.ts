// What is known of a text that was read, as far as it was read: segments, calls, notes. Made from the library's events
// and nothing else.

import type { CallDelta, IssueCode, ParseEvent, Range, RepairCode } from '@dragoman/core';
import { ArgumentMap } from './argument-map.js';
import { kinds } from './kinds.js';
import { repairWords } from './repair-words.js';
import { SegmentList, type Segments } from './segments.js';

export interface TextReading {
  /** Characters the parser has been given. */
  fed: number;
  /** Characters of which is known what they are. What was fed beyond is held back: more must come to tell. */
  settled: number;
  /** The parser was told that no more will come. */
  finished: boolean;
  segments: Segments;
  calls: ReadCall[];
  /** In the order of the text. */
  notes: Note[];
  /** Characters of each kind, by its place in `kinds`. */
  lengths: number[];
}

export interface ReadCall {
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

export interface Note {
  type: 'issue' | 'repair';
  code: IssueCode | RepairCode;
  range: Range;
  message: string;
  /** The call it is about, by its place, or -1. */
  call: number;
}

interface OpenCall extends Omit<ReadCall, 'map' | 'raw'> {
  pieces: string[];
  map: ArgumentMap;
}

/** Takes events as they come. `text` gives the characters that were read, for the map of arguments. */
export class Gather {
  readonly #segments = new SegmentList();
  readonly #calls: OpenCall[] = [];
  readonly #issues: Note[] = [];
  readonly #repairs: Note[] = [];
  /** The call that is being read. */
  #open = -1;
  /** Where the repairs of the markup that is being read begin: neighbours of one kind are one. */
  #markupRepairs = -1;

  constructor(readonly text: string) {}

  add(events: readonly ParseEvent[]): void {
    for (const event of events) this.#add(event);
  }

  /** What is known now. Later events do not change it. */
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

  #argument(call: OpenCall | undefined, { text, range }: CallDelta): void {
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
    if (event.type !== 'markup') this.#markupRepairs = -1;
    else if (this.#markupRepairs < 0) this.#markupRepairs = this.#repairs.length;
    const call = this.#open;
    for (const { code, range, message } of event.issues ?? []) {
      this.#issues.push({ type: 'issue', code, range, message, call });
    }
    for (const { code, range } of event.repairs ?? []) {
      if (this.#markupRepairs >= 0 && this.#grows(code, range)) continue;
      this.#repairs.push({ type: 'repair', code, range, message: repairWords[code], call });
    }
  }

  /** Markup comes in as many pieces as the text did, and a repair of it with them. */
  #grows(code: RepairCode, range: Range): boolean {
    const last = this.#repairs.length > this.#markupRepairs ? this.#repairs.at(-1) : undefined;
    if (last?.code !== code || last.range[1] !== range[0]) return false;
    if (last.range[0] === last.range[1] || range[0] === range[1]) return false;
    last.range = [last.range[0], range[1]];
    return true;
  }

  #notes(): Note[] {
    const notes = [...this.#issues, ...this.#repairs].map((note) => ({ ...note }));
    return notes.sort((a, b) => a.range[0] - b.range[0]);
  }
}

/** Counted where the text is read: a page that draws has better things to do. */
function lengthsOf({ starts, kinds: each, end }: Segments): number[] {
  const lengths = kinds.map(() => 0);
  for (const [at, kind] of each.entries()) {
    lengths[kind] = (lengths[kind] ?? 0) + (starts[at + 1] ?? end) - (starts[at] ?? 0);
  }
  return lengths;
}

/** Joined once, however often it is asked for. */
function joined(pieces: string[]): string {
  if (pieces.length > 1) pieces.splice(0, pieces.length, pieces.join(''));
  return pieces[0] ?? '';
}
