// The promises about single deltas: an argument in single characters, prose in fours, each against the floor.

import type { Dialect } from '@dragoman/core';
import { callText, cut, fileText, frameOf, KB, MB, prose } from './inputs.js';
import { ARGUMENT_TO_FLOOR, LAST_TO_FIRST_TENTH, PROSE_TO_FLOOR } from './limits.js';
import { cpuNow, cpuOf, race, upToThrice } from './measure.js';
import { charactersOf, openParser, readWith, readWithFloor } from './read.js';

/**
 * Reads a little in every dialect, with our parser and the floor. A gateway that runs for long has read many dialects:
 * the compiler knows all their shapes, and the floor is compiled, too. Without it, the first dialects would be compared
 * with a floor that is still being compiled.
 */
export function warmUp(all: readonly Dialect[]): void {
  const text = fileText(8 * KB);
  for (let round = 0; round < 3; round++)
    for (const dialect of all) {
      const { head, argument, tail } = callText(dialect, text);
      const frame = frameOf(dialect);
      for (const deltas of [[head, ...cut(argument, 1), tail], cut(prose(8 * KB), 4)]) {
        readWith(dialect, deltas);
        readWithFloor(frame, deltas);
      }
    }
}

export interface ArgumentSpeed {
  dialect: string;
  /** Nanoseconds a delta. */
  ours: number;
  floor: number;
  ratio: number;
  /** Milliseconds of each tenth of the argument, its closing markup not among them. */
  tenths: number[];
  lastToFirst: number;
}

/** The floor is read so often, however often the parser is: read once or twice, it is still being compiled. */
const FLOOR_READINGS = 4;

/** Always of 1 MB: the cost of a character rises once, in the first 200,000 of them, so a shorter one looks cheaper. */
export function argumentSpeed(dialect: Dialect, rounds = 4): ArgumentSpeed {
  const { head, argument, tail } = callText(dialect, fileText(MB));
  const deltas = cut(argument, 1);
  const all = [head, ...deltas, tail];
  const frame = frameOf(dialect);
  const tenths = new Array<number>(10).fill(Number.POSITIVE_INFINITY);
  let ours = Number.POSITIVE_INFINITY;
  let floor = Number.POSITIVE_INFINITY;
  const measure = () => {
    for (let round = 0; round < rounds; round++) {
      ours = Math.min(ours, readInTenths(dialect, head, deltas, tail, tenths));
      for (let reading = 0; reading < FLOOR_READINGS / rounds; reading++)
        floor = Math.min(
          floor,
          cpuOf(() => readWithFloor(frame, all)),
        );
    }
    const [first = 0] = tenths;
    return { ratio: ours / floor, lastToFirst: (tenths.at(-1) ?? 0) / first };
  };
  const result = upToThrice(
    measure,
    ({ ratio, lastToFirst }) => ratio <= ARGUMENT_TO_FLOOR && lastToFirst <= LAST_TO_FIRST_TENTH,
  );
  const each = 1e6 / all.length;
  return { dialect: dialect.name, ours: ours * each, floor: floor * each, tenths, ...result };
}

/** Reads a call, keeps the best time of each tenth of its argument, and gives the time of everything. */
function readInTenths(
  dialect: Dialect,
  head: string,
  deltas: readonly string[],
  tail: string,
  tenths: number[],
): number {
  const start = cpuNow();
  const parser = openParser(dialect);
  let seen = charactersOf(parser.feed(head));
  let before = cpuNow();
  for (let tenth = 0; tenth < 10; tenth++) {
    const end = Math.floor(((tenth + 1) * deltas.length) / 10);
    for (let at = Math.floor((tenth * deltas.length) / 10); at < end; at++)
      seen += charactersOf(parser.feed(deltas[at] as string));
    const now = cpuNow();
    tenths[tenth] = Math.min(tenths[tenth] as number, now - before);
    before = now;
  }
  seen += charactersOf(parser.feed(tail)) + charactersOf(parser.finish());
  if (seen < deltas.length) throw new Error(`${dialect.name} lost characters of an argument`);
  return cpuNow() - start;
}

export interface ProseSpeed {
  dialect: string;
  ours: number;
  floor: number;
  ratio: number;
}

export function proseSpeed(dialect: Dialect, length = 256 * KB, rounds = 12): ProseSpeed {
  const deltas = cut(prose(length), 4);
  const frame = frameOf(dialect);
  const arms = { ours: () => readWith(dialect, deltas), floor: () => readWithFloor(frame, deltas) };
  const best = upToThrice(
    () => race(arms, rounds),
    ({ ours, floor }) => ours <= PROSE_TO_FLOOR * floor,
  );
  const each = 1e6 / deltas.length;
  return {
    dialect: dialect.name,
    ours: best.ours * each,
    floor: best.floor * each,
    ratio: best.ours / best.floor,
  };
}
