// Turns the ranges of events into segments that tile the text, each of one kind. Issues and repairs are laid over them;
// where two overlap, an issue wins over a repair, then the shorter one.

import type { ParseEvent } from '@dragoman/core';
import { firstIndex } from '../parts/first-index.js';
import { type CharacterKind, kinds } from './kinds.js';
import type { TextNote } from './text-reading.js';

/** A struct of arrays, so that the reading of a long text is cheap to send from a worker to the page. */
export interface Segments {
  /** The start of each. It ends where the next one starts. */
  starts: Uint32Array;
  /** The end of the last one. */
  end: number;
  /** Indexes in `kinds`. */
  kinds: Uint8Array;
  /** The kind without the note that is laid over it. */
  bases: Uint8Array;
  /** The index of the call it belongs to, or -1. */
  calls: Int32Array;
  /** The index of the note that is laid over it, or -1. */
  notes: Int32Array;
}

export interface TextSegment {
  start: number;
  end: number;
  kind: CharacterKind;
  base: CharacterKind;
  call: number;
  note: number;
}

const code = (kind: CharacterKind): number => kinds.indexOf(kind);
const TEXT = code('text');
const MARKUP = code('markup');
const REPAIRED = code('repaired');
const AT_FAULT = code('at-fault');

const kindOfEvent: Record<ParseEvent['type'], number> = {
  'text-delta': TEXT,
  'reasoning-delta': code('reasoning'),
  'call-start': code('call-name'),
  'call-delta': code('argument'),
  'call-end': MARKUP,
  'call-error': AT_FAULT,
  markup: MARKUP,
};

/** Grows with the events; neighbours of one kind and one call are one segment. */
export class SegmentList {
  readonly #starts: number[] = [];
  readonly #kinds: number[] = [];
  readonly #calls: number[] = [];
  #end = 0;

  get end(): number {
    return this.#end;
  }

  add(event: ParseEvent, call: number): void {
    const [start, end] = event.range;
    if (start === end) return;
    const kind = kindOfEvent[event.type];
    const last = this.#kinds.length - 1;
    if (last < 0 || this.#kinds[last] !== kind || this.#calls[last] !== call) {
      this.#starts.push(start);
      this.#kinds.push(kind);
      this.#calls.push(call);
    }
    this.#end = end;
  }

  /** Assigns the last markup to the call that it turned out to open. Gives the start of that markup. */
  claimMarkup(call: number): number {
    const last = this.#kinds.length - 1;
    if (last < 0 || this.#kinds[last] !== MARKUP || this.#calls[last] !== -1) return this.#end;
    this.#calls[last] = call;
    return this.#starts[last] as number;
  }

  /** Gives the segments so far, with the notes laid over them. */
  under(notes: readonly TextNote[]): Segments {
    const made = new Overlay(notes);
    for (let at = 0; at < this.#starts.length; at++) {
      const end = this.#starts[at + 1] ?? this.#end;
      made.add(this.#starts[at] as number, end, this.#kinds[at] as number, this.#calls[at] as number);
    }
    return made.segments(this.#end);
  }
}

/** Walks along the segments and the borders of the notes at once. */
class Overlay {
  readonly #opening: number[];
  readonly #borders: number[];
  readonly #out = {
    starts: [] as number[],
    kinds: [] as number[],
    bases: [] as number[],
    calls: [] as number[],
    notes: [] as number[],
  };
  #active: number[] = [];
  #border = 0;
  #opened = 0;
  #top = -1;

  constructor(readonly notes: readonly TextNote[]) {
    const shown = [...notes.keys()].filter((at) => this.#start(at) < this.#end(at));
    this.#opening = shown.sort((a, b) => this.#start(a) - this.#start(b));
    const borders = shown.flatMap((at) => [this.#start(at), this.#end(at)]);
    this.#borders = [...new Set(borders)].sort((a, b) => a - b);
  }

  add(start: number, end: number, kind: number, call: number): void {
    let at = start;
    while (at < end) {
      this.#passBorders(at);
      const next = Math.min(end, this.#borders[this.#border] ?? end);
      this.#push(at, kind, call);
      at = next;
    }
  }

  segments(end: number): Segments {
    const { starts, kinds, bases, calls, notes } = this.#out;
    return {
      starts: Uint32Array.from(starts),
      end,
      kinds: Uint8Array.from(kinds),
      bases: Uint8Array.from(bases),
      calls: Int32Array.from(calls),
      notes: Int32Array.from(notes),
    };
  }

  #push(start: number, base: number, call: number): void {
    const out = this.#out;
    const note = this.#top;
    const kind = note < 0 ? base : this.notes[note]?.type === 'issue' ? AT_FAULT : REPAIRED;
    const last = out.starts.length - 1;
    const same = out.bases[last] === base && out.calls[last] === call && out.notes[last] === note;
    if (last >= 0 && same) return;
    out.starts.push(start);
    out.kinds.push(kind);
    out.bases.push(base);
    out.calls.push(call);
    out.notes.push(note);
  }

  #passBorders(at: number): void {
    const before = this.#border;
    while ((this.#borders[this.#border] ?? Number.POSITIVE_INFINITY) <= at) this.#border++;
    if (this.#border === before) return;
    for (; this.#opened < this.#opening.length; this.#opened++) {
      const note = this.#opening[this.#opened] as number;
      if (this.#start(note) > at) break;
      this.#active.push(note);
    }
    this.#active = this.#active.filter((note) => this.#end(note) > at);
    this.#top = this.#active.reduce((top, note) => (top < 0 || this.#beats(note, top) ? note : top), -1);
  }

  #beats(a: number, b: number): boolean {
    const [one, other] = [this.notes[a] as TextNote, this.notes[b] as TextNote];
    if (one.type !== other.type) return one.type === 'issue';
    const [length, otherLength] = [this.#end(a) - this.#start(a), this.#end(b) - this.#start(b)];
    return length === otherLength ? a < b : length < otherLength;
  }

  #start(note: number): number {
    return (this.notes[note] as TextNote).range[0];
  }

  #end(note: number): number {
    return (this.notes[note] as TextNote).range[1];
  }
}

export function segment(segments: Segments, at: number): TextSegment | undefined {
  const start = segments.starts[at];
  if (start === undefined) return undefined;
  return {
    start,
    end: segments.starts[at + 1] ?? segments.end,
    kind: kinds[segments.kinds[at] as number] as CharacterKind,
    base: kinds[segments.bases[at] as number] as CharacterKind,
    call: segments.calls[at] as number,
    note: segments.notes[at] as number,
  };
}

/** Finds the index of the segment that holds this character; -1 after the end. */
export function segmentIndexAt(segments: Segments, position: number): number {
  if (position < 0 || position >= segments.end) return -1;
  const { starts } = segments;
  return firstIndex(starts.length, (at) => (starts[at] as number) > position) - 1;
}
