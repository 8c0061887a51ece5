// What the worker does, as generators: each `yield` is a place where newer input may interrupt. They know nothing of
// workers, so tests run them as they are.

import { createParser, type Parser, type ParserOptions } from '@dragoman/core';
import { createRandom, fingerprint } from '@dragoman/core/testing';
import { type Guess, guessDialect } from './guess.js';
import { Gather, type TextReading } from './text-reading.js';

export interface ReadInput {
  text: string;
  /** `auto`: guessed. */
  dialect: string;
  tools: unknown;
  thinking: boolean;
}

export interface ReadResult {
  reading: TextReading;
  dialect: string;
  thinking: boolean;
  guess: Guess | undefined;
}

/** A job gives its result at the end, and pauses after each slice of its work. */
export type Job<T> = Generator<undefined, T, undefined>;

/** Characters between two pauses: about a millisecond. */
const SLICE = 4096;

function optionsOf({ tools, thinking }: ReadInput): ParserOptions {
  return { tools, thinking };
}

/** Reads the whole text; if the dialect is to be guessed, every dialect does first. */
export function* readAll(input: ReadInput): Job<ReadResult> {
  const guess = input.dialect === 'auto' ? yield* guessDialect(input) : undefined;
  const { dialect, thinking } = guess ?? input;
  const replay = new Replay({ ...input, dialect, thinking });
  return { reading: yield* replay.to(input.text.length), dialect, thinking, guess };
}

/** A stream that can be wound forward and back. Back means: from the start again, with a new parser. */
export class Replay {
  readonly #input: ReadInput;
  #parser: Parser;
  #gather: Gather;
  #at = 0;
  #finished = false;

  constructor(input: ReadInput) {
    this.#input = input;
    this.#parser = createParser(input.dialect, optionsOf(input));
    this.#gather = new Gather(input.text);
  }

  /** What is known after so many characters. At the end of the text the parser is told that it is the end. */
  *to(position: number): Job<TextReading> {
    const { text } = this.#input;
    const goal = Math.max(0, Math.min(position, text.length));
    if (goal < this.#at || (this.#finished && goal < text.length)) this.#restart();
    while (this.#at < goal) {
      const next = Math.min(goal, this.#at + SLICE);
      this.#gather.add(this.#parser.feed(text.slice(this.#at, next)));
      this.#at = next;
      yield;
    }
    if (goal === text.length && !this.#finished) {
      this.#gather.add(this.#parser.finish());
      this.#finished = true;
    }
    return this.#gather.reading(this.#at, this.#finished);
  }

  #restart(): void {
    this.#parser = createParser(this.#input.dialect, optionsOf(this.#input));
    this.#gather = new Gather(this.#input.text);
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
  /** The lengths of the pieces of the first run that gave something else. None is expected. */
  differs?: number[];
}

/** Characters that are read in all runs together: enough to convince, and over in a second or two. */
const BUDGET = 4_000_000;
const MOST_RUNS = 200;
const sizes = [1, 2, 5, 12, 40, 200, 2000];

/** Cuts the text anew at random, many times, and compares what every cutting gives with the text read whole. */
export function* shuffle(input: ReadInput, seed: number): Job<ShuffleResult> {
  const random = createRandom(seed);
  const whole = fingerprintOf(input, [input.text]);
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
    if (fingerprintOf(input, pieces) !== whole) {
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

/** The events with neighbouring pieces joined: what must not depend on the cutting. */
function fingerprintOf(input: ReadInput, pieces: readonly string[]): string {
  const parser = createParser(input.dialect, optionsOf(input));
  const events = pieces.flatMap((piece) => parser.feed(piece));
  return fingerprint([...events, ...parser.finish()]);
}
