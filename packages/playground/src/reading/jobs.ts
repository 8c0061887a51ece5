// The jobs of the worker as generators: at each `yield` newer input may interrupt. They do not depend on workers, so
// tests run them directly.

import { createParser, type Dialect, type Parser } from '@dragoman/core/small';
import { createRandom, fingerprint } from '@dragoman/core/testing';
import { type Guess, guessDialect } from './guess.js';
import { ReadingBuilder, type TextReading } from './text-reading.js';

export interface ReadInput {
  text: string;
  /** A dialect's name; `auto` guesses it. */
  dialect: string;
  tools: unknown;
  thinking: boolean;
  /** More of the text is to come, so its end is not the end of the answer. */
  growing?: boolean;
}

export interface ReadOutcome {
  reading: TextReading;
  dialect: string;
  thinking: boolean;
  guess: Guess | undefined;
}

/** A job gives its result at the end, and pauses after each slice of its work. */
export type ReadJob<T> = Generator<undefined, T, undefined>;

/** Characters between two pauses: about a millisecond. */
const SLICE = 4096;

function parserOf({ dialect, tools, thinking }: ReadInput, dialects: readonly Dialect[]): Parser {
  const found = dialects.find(({ name }) => name === dialect);
  if (!found) throw new Error(`there is no dialect named ${dialect}`);
  return createParser(found, { tools, thinking });
}

/** Reads the whole text. To guess the dialect, a sample of it is first read in each of `dialects`. */
export function* readAll(input: ReadInput, dialects: readonly Dialect[]): ReadJob<ReadOutcome> {
  const guess = input.dialect === 'auto' ? yield* guessDialect(input, dialects) : undefined;
  const { dialect, thinking } = guess ?? input;
  const replay = new Replay({ ...input, dialect, thinking }, dialects);
  return { reading: yield* replay.to(input.text.length), dialect, thinking, guess };
}

/** A stream that can be replayed to any position. To go back, it starts again with a new parser. */
export class Replay {
  #parser!: Parser;
  #gather!: ReadingBuilder;
  #at = 0;
  #finished = false;

  constructor(
    readonly input: ReadInput,
    readonly dialects: readonly Dialect[],
  ) {
    this.#restart();
  }

  /** Gives the reading after so many characters. At the end of a text that is complete the parser is finished. */
  *to(position: number): ReadJob<TextReading> {
    const { text, growing } = this.input;
    const goal = Math.max(0, Math.min(position, text.length));
    if (goal < this.#at || (this.#finished && goal < text.length)) this.#restart();
    while (this.#at < goal) {
      const next = Math.min(goal, this.#at + SLICE);
      this.#gather.add(this.#parser.feed(text.slice(this.#at, next)));
      this.#at = next;
      yield;
    }
    if (goal === text.length && !this.#finished && !growing) {
      this.#gather.add(this.#parser.finish());
      this.#finished = true;
    }
    return this.#gather.reading(this.#at, this.#finished);
  }

  #restart(): void {
    this.#parser = parserOf(this.input, this.dialects);
    this.#gather = new ReadingBuilder(this.input.text);
    this.#at = 0;
    this.#finished = false;
  }
}

export interface ShuffleResult {
  runs: number;
  /** Pieces that were fed in all runs together. */
  pieces: number;
  smallest: number;
  largest: number;
  /** The lengths of the pieces of the first run with another result, which would be a bug. */
  differs?: number[];
}

/** Characters of all runs together: a second or two. */
const BUDGET = 4_000_000;
const MOST_RUNS = 200;
const sizes = [1, 2, 5, 12, 40, 200, 2000];

/** Cuts the text into random chunks, many times, and compares each result with that of the whole text. */
export function* shuffle(
  input: ReadInput,
  dialects: readonly Dialect[],
  seed: number,
): ReadJob<ShuffleResult> {
  const random = createRandom(seed);
  const read = (pieces: readonly string[]) => fingerprintOf(parserOf(input, dialects), pieces);
  const whole = read([input.text]);
  const runs = Math.max(3, Math.min(MOST_RUNS, Math.floor(BUDGET / (input.text.length + 1))));
  const result: ShuffleResult = { runs: 0, pieces: 0, smallest: input.text.length, largest: 0 };
  for (let run = 0; run < runs; run++) {
    yield;
    const most = sizes[run % sizes.length] as number;
    const pieces = cut(input.text, () => 1 + random.int(most));
    result.runs++;
    result.pieces += pieces.length;
    for (const { length } of pieces) {
      result.smallest = Math.min(result.smallest, length);
      result.largest = Math.max(result.largest, length);
    }
    if (read(pieces) !== whole) {
      return { ...result, differs: pieces.map(({ length }) => length) };
    }
  }
  return result;
}

function cut(text: string, nextLength: () => number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const piece = text.slice(at, at + nextLength());
    pieces.push(piece);
    at += piece.length;
  }
  return pieces;
}

/** Gives the events with neighbouring deltas joined, which must not depend on the chunks. */
function fingerprintOf(parser: Parser, pieces: readonly string[]): string {
  const events = pieces.flatMap((piece) => parser.feed(piece));
  return fingerprint([...events, ...parser.finish()]);
}
