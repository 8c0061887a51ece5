// Compares the page's colours with the library's events: for every output of the corpus in its own dialect, for a share
// of them as foreign text in every other, and for random text. Each output is read whole once, for all tests. In chunks
// it is read in every dialect; in other models' dialects either by single characters or in random chunks, in turn: that
// chunks do not matter to a parser is a law of its own, and ReadingBuilder is the same for all dialects. DRAGOMAN_EFFORT
// multiplies the random texts.

import {
  type Dialect,
  dialects,
  type Issue,
  type ParseEvent,
  type ParserOptions,
  type Repair,
} from '@dragoman/core';
import {
  coalesce,
  createRandom,
  eventsOf,
  ingredients,
  markerMix,
  type Random,
  randomCuts,
} from '@dragoman/core/testing';
import { describe, expect, it } from 'vitest';
import { corpusOutputs, type Output } from './corpus.fixture.js';
import { type CharacterKind, kinds } from './kinds.js';
import { paint } from './painted.fixture.js';
import { segment, segmentIndexAt } from './segments.js';
import { ReadingBuilder, type TextReading } from './text-reading.js';

const EFFORT = Number(process.env.DRAGOMAN_EFFORT ?? 0.2);
const outputs = corpusOutputs();
const outputsOf = (dialect: Dialect) => outputs.filter((output) => output.dialect === dialect);

/** The project's own ten dialects are first in the list. */
const isFullyTried = (dialect: Dialect) => dialects.indexOf(dialect) < 10;

function readEvents(text: string, events: readonly ParseEvent[]): TextReading {
  const gather = new ReadingBuilder(text);
  gather.add(events);
  return gather.reading(text.length, true);
}

function read(dialect: Dialect, pieces: string[], options: ParserOptions = {}): TextReading {
  return readEvents(pieces.join(''), eventsOf(dialect, pieces, options));
}

interface Whole {
  events: ParseEvent[];
  reading: TextReading;
  each: CharacterKind[];
}

const wholes = new Map<Output, Whole>();

/** An output read in its own dialect in one piece. */
function wholeOf(output: Output): Whole {
  const known = wholes.get(output);
  if (known) return known;
  const events = eventsOf(output.dialect, [output.text], output.options);
  const reading = readEvents(output.text, events);
  const whole = { events, reading, each: kindOfEach(reading) };
  wholes.set(output, whole);
  return whole;
}

function comparable({ segments, calls, notes, lengths, settled }: TextReading): string {
  const lists = Object.values(segments).map((list) => (typeof list === 'number' ? list : [...list]));
  return JSON.stringify([
    lists,
    calls.map(({ map, ...call }) => ({ ...call, map: [...map] })),
    notes,
    lengths,
    settled,
  ]);
}

function kindOfEach({ segments }: TextReading): CharacterKind[] {
  const each: CharacterKind[] = [];
  for (let at = 0; at < segments.starts.length; at++) {
    const { start, end, kind } = segment(segments, at)!;
    for (let character = start; character < end; character++) each[character] = kind;
  }
  return each;
}

function tilingFault({ segments }: TextReading, text: string): string | undefined {
  const { starts, end } = segments;
  if (end !== text.length) return `ends at ${end} of ${text.length}`;
  if (text.length > 0 && starts[0] !== 0) return `begins at ${starts[0]}`;
  const back = starts.findIndex((start, at) => at > 0 && start <= (starts[at - 1] as number));
  return back < 0 ? undefined : `goes back at segment ${back}`;
}

function expectTiled({ name, text }: Output, { events, reading, each }: Whole): void {
  const painted = paint(events);
  if (tilingFault(reading, text) === undefined && each.join() === painted.join()) return;
  expect(tilingFault(reading, text), name).toBeUndefined();
  expect(each, name).toEqual(painted);
}

/** Single characters, and random chunks; of other models' dialects one of the two, in turn. */
function cuttings(random: Random, { dialect, text }: Output, turn: number): string[][] {
  const both = isFullyTried(dialect);
  return [
    ...(both || turn % 2 === 0 ? [text.split('')] : []),
    ...(both || turn % 2 === 1 ? [randomCuts(random, text)] : []),
  ];
}

describe.each(dialects.map((dialect) => ({ name: dialect.name, dialect })))(
  'read as $name',
  ({ dialect }) => {
    const written = outputsOf(dialect);

    it('segments tile every output of the corpus, and say what the events say', () => {
      for (const output of written) expectTiled(output, wholeOf(output));
    });

    it('segments tile what others write, and say what the events say', () => {
      // It is foreign text, and that of a few says as much as that of all: another few for each dialect.
      const share = isFullyTried(dialect) ? 29 : 89;
      const turn = dialects.indexOf(dialect) % share;
      for (const output of outputs.filter((_, at) => at % share === turn)) {
        const events = eventsOf(dialect, [output.text], output.options);
        const reading = readEvents(output.text, events);
        expectTiled(output, { events, reading, each: kindOfEach(reading) });
      }
    });

    it('nothing depends on how an output is cut', () => {
      const random = createRandom(6);
      for (const [turn, output] of written.entries()) {
        const whole = comparable(wholeOf(output).reading);
        for (const pieces of cuttings(random, output, turn)) {
          const cut = comparable(read(dialect, pieces, output.options));
          if (cut !== whole) expect(cut, output.name).toBe(whole);
        }
      }
    });

    it('the lengths of the kinds add up', () => {
      for (const output of written) {
        const { reading, each } = wholeOf(output);
        const counted = new Map<CharacterKind, number>();
        for (const kind of each) counted.set(kind, (counted.get(kind) ?? 0) + 1);
        expect(reading.lengths, output.name).toEqual(kinds.map((kind) => counted.get(kind) ?? 0));
      }
    });

    it('both hold for random text', () => {
      const random = createRandom(60);
      const parts = ingredients(
        dialect,
        written.map(({ text }) => text),
      );
      const count = Math.ceil((isFullyTried(dialect) ? 200 : 60) * EFFORT);
      for (let n = 0; n < count; n++) {
        const text = markerMix(random, parts, 1 + random.int(40));
        const reading = read(dialect, [text]);
        expect(tilingFault(reading, text), text).toBeUndefined();
        expect(comparable(read(dialect, randomCuts(random, text))), text).toBe(comparable(reading));
      }
    });
  },
);

it('calls and notes are those of the library', () => {
  for (const output of outputs) {
    const whole = wholeOf(output);
    const events = coalesce(whole.events);
    expect(gathered(whole.reading), output.name).toEqual({
      complete: events.flatMap((event) => (event.type === 'call-end' ? [[event.id, event.raw]] : [])),
      failed: events.filter(({ type }) => type === 'call-error').length,
      issues: inOrder(events.flatMap(({ issues = [] }) => issues)),
      repairs: inOrder(events.flatMap(({ repairs = [] }) => repairs)),
    });
  }
});

function gathered({ calls, notes }: TextReading): object {
  const listed = (type: string) =>
    notes.filter((note) => note.type === type).map(({ code, range }) => [code, range]);
  return {
    complete: calls.filter(({ state }) => state === 'complete').map(({ id, raw }) => [id, raw]),
    failed: calls.filter(({ state }) => state === 'failed').length,
    issues: listed('issue'),
    repairs: listed('repair'),
  };
}

/** In the order of the text. */
function inOrder(notes: (Issue | Repair)[]): unknown[] {
  return notes.sort((a, b) => a.range[0] - b.range[0]).map(({ code, range }) => [code, range]);
}

it('a character is found in its segment, and nothing is found outside', () => {
  const reading = read(dialects[0]!, ['Hello <tools>[{"name": "f", "arguments": {}}]</tools>']);
  for (let at = 0; at < reading.settled; at++) {
    const { start, end } = segment(reading.segments, segmentIndexAt(reading.segments, at))!;
    expect(start <= at && at < end).toBe(true);
  }
  expect(segmentIndexAt(reading.segments, reading.settled)).toBe(-1);
  expect(segmentIndexAt(reading.segments, -1)).toBe(-1);
});

it('the corpus shows every kind', () => {
  const seen = new Set(outputs.flatMap((output) => wholeOf(output).each));
  expect([...kinds].filter((kind) => !seen.has(kind))).toEqual([]);
});
