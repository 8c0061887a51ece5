import { describe, expect, it } from 'vitest';
import type { RepairCode } from '../model/index.js';
import {
  type JsonFailure,
  JsonReader,
  type JsonReaderOptions,
  type JsonStop,
  type ValueHint,
} from './json.js';

interface Drive extends JsonReaderOptions {
  watch?: number;
  hint?: ValueHint;
  /** At a failure: give up on what is inside this many containers, and read on. */
  skipTo?: number;
}

interface Reading {
  json: string;
  done: boolean;
  /** How many characters were read. */
  end: number;
  failures: JsonFailure[];
  repairs: { code: RepairCode; at: number }[];
  duplicates: { key: string; at: number }[];
  /** Each stop with the place where it was made and the JSON that went before it. */
  stops: (JsonStop & { at: number; json: string })[];
  depth: number;
}

/** Drives a reader as a family does: text arrives in pieces, what is unread stays in the window. */
function readPieces(pieces: Iterable<string>, { watch = -1, hint, skipTo, ...options }: Drive = {}): Reading {
  const reader = new JsonReader(options);
  reader.watch = watch;
  reader.hint = hint;
  const { repairs, duplicates } = reader;
  const reading = { json: '', end: 0, failures: [] as JsonFailure[], stops: [] as Reading['stops'] };
  let window = '';
  const readOn = (ended: boolean) => {
    for (let at = 0; ; ) {
      const to = reader.read(window, at, ended);
      reading.end += to - at;
      at = to;
      reading.json += reader.take();
      const stop = reader.nextStop();
      if (stop) reading.stops.push({ ...stop, at: reading.end, json: reading.json });
      else if (reader.failure && reading.failures.length === 0 && skipTo !== undefined) {
        reading.failures.push(reader.failure);
        reader.skipTo(skipTo);
      } else {
        window = window.slice(at);
        return;
      }
    }
  };
  for (const piece of pieces) {
    window += piece;
    readOn(false);
  }
  readOn(true);
  if (reader.failure) reading.failures.push(reader.failure);
  return { ...reading, done: reader.done, repairs, duplicates, depth: reader.depth };
}

/** The text in pieces of these lengths, over and over. */
function cut(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, n = 0; at < text.length; n++) {
    const length = lengths[n % lengths.length] ?? 1;
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

/** DRAGOMAN_EFFORT multiplies what is drawn: 1 is the full measure. */
const TEXTS = Math.ceil(100_000 * Number(process.env.DRAGOMAN_EFFORT ?? 0.2));

/** Plain seeded numbers, not fast-check: thousands of texts a second, the same ones each time. */
function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const ingredients = [
  ...`{ } [ ] " ' , : = \\ / // /* */ . + - _ 0x e 1 a b < </ </x> true True None nul "a" "b": "a":1 {"a":`.split(
    ' ',
  ),
  ...[
    '\n',
    ' ',
    '\t',
    '\u00a0',
    '\ufeff',
    '\u0001',
    '\\u',
    '\\u00',
    '\\"',
    '\ud83d\ude00',
    '\ud83d',
    '\ude00',
  ],
  ...['北', '["', '", ', '": '],
];
/** As long as a reader looks ahead, nearly. */
const LONG = [' '.repeat(250), 'k'.repeat(120)];

describe('any text', () => {
  it('is read without a throw, the same in pieces, and what is read is JSON', () => {
    const dice = createDice(1);
    const closer = (text: string, at: number, ended: boolean) => {
      if (text.startsWith('</x>', at)) return 4;
      return !ended && at < text.length && '</x>'.startsWith(text.slice(at)) ? -1 : 0;
    };
    let values = 0;
    for (let count = 0; count < TEXTS; count++) {
      let soup = ['', '{', '[', '{"a":', '{"a":"', '["'][count % 6] as string;
      for (let length = dice(16); length > 0; length--) soup += ingredients[dice(ingredients.length)];
      if (dice(10) === 0) soup = soup.replace(/.(?=\W)/, `$&${LONG[dice(2)]}`);
      const drive: Drive = { watch: dice(4) - 1 };
      if (dice(2)) drive.closer = closer;
      if (dice(4) === 0) drive.skipTo = 0;
      const whole = readPieces([soup], drive);
      const pieces = cut(soup, [1 + dice(3), 1 + dice(9), 1]);
      // A plain comparison: a hundred thousand matchers would take a minute.
      if (JSON.stringify(readPieces(pieces, drive)) !== JSON.stringify(whole))
        expect(readPieces(pieces, drive), JSON.stringify(pieces)).toEqual(whole);
      if (!whole.done || whole.failures.length > 0) continue;
      expect(() => JSON.parse(whole.json), JSON.stringify(soup)).not.toThrow();
      values++;
    }
    expect(values).toBeGreaterThan(0.03 * TEXTS);
  });
});
