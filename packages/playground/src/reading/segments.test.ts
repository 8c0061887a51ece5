import { type Dialect, dialects, type Issue, type ParserOptions, type Repair } from '@dragoman/core';
import { coalesce, createRandom, eventsOf, ingredients, randomCuts, soup } from '@dragoman/core/testing';
import { describe, expect, it } from 'vitest';
import { corpusOutputs } from './corpus.fixture.js';
import { type Kind, kinds } from './kinds.js';
import { paint } from './painted.fixture.js';
import { Gather, type Reading } from './reading.js';
import { segment, segmentIndexAt } from './segments.js';

const outputs = corpusOutputs();

function read(dialect: Dialect, pieces: string[], options: ParserOptions = {}): Reading {
  const text = pieces.join('');
  const gather = new Gather(text);
  gather.add(eventsOf(dialect, pieces, options));
  return gather.reading(text.length, true);
}

function comparable({ segments, calls, notes, lengths, settled }: Reading): string {
  const lists = Object.values(segments).map((list) => (typeof list === 'number' ? list : [...list]));
  return JSON.stringify([
    lists,
    calls.map(({ map, ...call }) => ({ ...call, map: [...map] })),
    notes,
    lengths,
    settled,
  ]);
}

function kindOfEach({ segments }: Reading): Kind[] {
  const each: Kind[] = [];
  for (let at = 0; at < segments.starts.length; at++) {
    const { start, end, kind } = segment(segments, at)!;
    for (let character = start; character < end; character++) each[character] = kind;
  }
  return each;
}

function tilingFault({ segments }: Reading, text: string): string | undefined {
  const { starts, end } = segments;
  if (end !== text.length) return `ends at ${end} of ${text.length}`;
  if (text.length > 0 && starts[0] !== 0) return `begins at ${starts[0]}`;
  const back = starts.findIndex((start, at) => at > 0 && start <= (starts[at - 1] as number));
  return back < 0 ? undefined : `goes back at segment ${back}`;
}

describe.each(dialects.map((dialect) => ({ name: dialect.name, dialect })))(
  'read as $name',
  ({ dialect }) => {
    it('segments tile every output of the corpus, and say what the events say', () => {
      // What others write is foreign text, and that of a few says as much as that of all.
      const foreign = outputs.filter((_, at) => at % 29 === 0);
      for (const { name, text, options } of [
        ...foreign,
        ...outputs.filter((one) => one.dialect === dialect),
      ]) {
        const reading = read(dialect, [text], options);
        expect(tilingFault(reading, text), name).toBeUndefined();
        expect(kindOfEach(reading), name).toEqual(paint(eventsOf(dialect, [text], options)));
      }
    });

    it('nothing depends on how an output is cut', () => {
      const random = createRandom(6);
      for (const { name, text, options } of outputs.filter((output) => output.dialect === dialect)) {
        const whole = comparable(read(dialect, [text], options));
        const cuts = [text.split(''), ...Array.from({ length: 2 }, () => randomCuts(random, text))];
        for (const pieces of cuts) expect(comparable(read(dialect, pieces, options)), name).toBe(whole);
      }
    });

    it('the lengths of the kinds add up', () => {
      for (const { name, text, options } of outputs.filter((output) => output.dialect === dialect)) {
        const reading = read(dialect, [text], options);
        const each = kindOfEach(reading);
        const counted = kinds.map((kind) => each.filter((one) => one === kind).length);
        expect(reading.lengths, name).toEqual(counted);
      }
    });

    it('both hold for soup', () => {
      const random = createRandom(60);
      const parts = ingredients(
        dialect,
        outputs.filter((output) => output.dialect === dialect).map(({ text }) => text),
      );
      for (let n = 0; n < 60; n++) {
        const text = soup(random, parts, 1 + random.int(40));
        const reading = read(dialect, [text]);
        expect(tilingFault(reading, text), text).toBeUndefined();
        expect(comparable(read(dialect, randomCuts(random, text))), text).toBe(comparable(reading));
      }
    });
  },
);

it('calls and notes are those of the library', () => {
  for (const { name, dialect, text, options } of outputs) {
    const events = coalesce(eventsOf(dialect, [text], options));
    const { calls, notes } = read(dialect, text.split(''), options);
    const complete = calls.filter(({ state }) => state === 'complete').map(({ id, raw }) => [id, raw]);
    expect(complete, name).toEqual(
      events.flatMap((event) => (event.type === 'call-end' ? [[event.id, event.raw]] : [])),
    );
    const failed = calls.filter(({ state }) => state === 'failed').length;
    expect(failed, name).toBe(events.filter(({ type }) => type === 'call-error').length);
    const listed = (type: string) =>
      notes.filter((note) => note.type === type).map(({ code, range }) => [code, range]);
    expect(listed('issue'), name).toEqual(inOrder(events.flatMap(({ issues = [] }) => issues)));
    expect(listed('repair'), name).toEqual(inOrder(events.flatMap(({ repairs = [] }) => repairs)));
  }
});

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
  const seen = new Set(
    outputs.flatMap(({ dialect, text, options }) => kindOfEach(read(dialect, [text], options))),
  );
  expect([...kinds].filter((kind) => !seen.has(kind))).toEqual([]);
});
