// Rules for numbers within bounds. A decimal without an exponent is compared with its bounds digit by digit:
//
//   at least 42    "4" [2-9] | [5-9] [0-9] | [1-9] [0-9] [0-9] …
//
// At each digit we know whether all digits so far equal those of the lower bound, and of the upper one. While they
// do, the next digit must not be beyond the bound's; once one differs, the rest is free.

import { charsOf, DIGIT } from './char-ranges.js';
import {
  chars,
  choice,
  EMPTY,
  isNever,
  literal,
  NEVER,
  type Node,
  optional,
  repeat,
  sequence,
} from './node.js';

export interface Bounds {
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

const digit = chars(DIGIT);
const ONE_TO_NINE = chars([[0x31, 0x39]]);
/** The most digits before the point. */
const MAX_WHOLE = 24;
const MAX_FRACTION = 18;

const natural = choice(literal('0'), sequence(ONE_TO_NINE, repeat(digit, 0, MAX_WHOLE - 1)));
const positive = sequence(ONE_TO_NINE, repeat(digit, 0, MAX_WHOLE - 1));

/** Any integer, without `-0`, which is not an integer in every language. */
export const anyInteger: Node = choice(natural, sequence(literal('-'), positive));

const fraction = sequence(literal('.'), repeat(digit, 1, MAX_FRACTION));
const exponent = sequence(chars(charsOf('eE')), optional(chars(charsOf('+-'))));
/** Exponents from 100 to 307, which keep a number with one digit before the point finite. */
const hundreds = choice(
  sequence(chars(charsOf('12')), digit, digit),
  sequence(literal('30'), chars([[0x30, 0x37]])),
);

/** Any number that JSON can write, as long as it is finite as a float. */
export const anyNumber: Node = sequence(
  optional(literal('-')),
  choice(
    sequence(natural, optional(fraction), optional(sequence(exponent, digit, optional(digit)))),
    sequence(ONE_TO_NINE, optional(fraction), exponent, hundreds),
  ),
);

export function isBounded(bounds: Bounds): boolean {
  return Object.values(bounds).some((bound) => bound !== undefined);
}

/** Makes the rule of numbers within the bounds, without exponents; undefined if a bound has too many digits. */
export function boundedNumber(bounds: Bounds, whole: boolean): Node | undefined {
  const low = lowerOf(bounds);
  const high = upperOf(bounds);
  if (low === null || high === null) return undefined;
  const above = magnitudes(clampLow(low), high, whole);
  const below = magnitudes(clampLow(negated(high)), negated(low), whole);
  // Zero is written without a sign, so it is excluded here.
  const negative = below && sequence(literal('-'), withoutZero(negated(high), negated(low), whole));
  return choice(above ?? NEVER, negative ?? NEVER);
}

// --- bounds as digits ----------------------------------------------------------------------------------

/** A bound as decimal digits. Undefined: no bound. Null: it cannot be expressed. */
interface Bound {
  negative: boolean;
  whole: string;
  fraction: string;
  /** The bound is exclusive. */
  open: boolean;
}

function lowerOf({ minimum, exclusiveMinimum }: Bounds): Bound | undefined | null {
  if (exclusiveMinimum !== undefined && (minimum === undefined || exclusiveMinimum >= minimum))
    return toBound(exclusiveMinimum, true);
  return minimum === undefined ? undefined : toBound(minimum, false);
}

function upperOf({ maximum, exclusiveMaximum }: Bounds): Bound | undefined | null {
  if (exclusiveMaximum !== undefined && (maximum === undefined || exclusiveMaximum <= maximum))
    return toBound(exclusiveMaximum, true);
  return maximum === undefined ? undefined : toBound(maximum, false);
}

function toBound(value: number, open: boolean): Bound | null {
  const [whole = '', fraction = ''] = decimalOf(Math.abs(value));
  if (!Number.isFinite(value) || whole.length > MAX_WHOLE || fraction.length > MAX_FRACTION) return null;
  return { negative: value < 0, whole, fraction, open };
}

/** Gives the shortest decimal digits of a number, without an exponent: `1e-7` is written out. */
function decimalOf(value: number): [whole: string, fraction: string] {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const shift = Number(exponent);
  const all = whole + fraction;
  const point = whole.length + shift;
  if (point <= 0) return ['0', '0'.repeat(-point) + all];
  return [all.padEnd(point, '0').slice(0, point), all.slice(point)];
}

function negated(bound: Bound | undefined): Bound | undefined {
  return bound && { ...bound, negative: !bound.negative };
}

const ZERO: Bound = { negative: false, whole: '0', fraction: '', open: false };

/** Raises a missing or negative lower bound to zero. */
function clampLow(bound: Bound | undefined): Bound {
  return !bound || (bound.negative && !isZero(bound)) ? ZERO : bound;
}

function isZero({ whole, fraction }: Bound): boolean {
  return /^0*$/.test(whole + fraction);
}

// --- digits within bounds ------------------------------------------------------------------------------

/** The bounds that still apply at a digit; undefined once an earlier digit differs from the bound's. */
interface Edges {
  low: Bound | undefined;
  high: Bound | undefined;
}

/** Makes the rule of numbers from `low`, which is not negative, to `high`. Undefined if there are none. */
function magnitudes(low: Bound, high: Bound | undefined, whole: boolean): Node | undefined {
  if (high?.negative && !isZero(high)) return undefined;
  const ways: Node[] = [];
  const last = high ? high.whole.length : MAX_WHOLE;
  for (let length = low.whole.length; length <= last; length++) {
    const edges: Edges = {
      low: length === low.whole.length ? low : undefined,
      high: high && length === high.whole.length ? high : undefined,
    };
    const free = edges.low === undefined && edges.high === undefined;
    if (free && length > 1) ways.push(freeNumber(length, whole));
    else ways.push(wholeDigits(edges, 0, length, whole));
  }
  const found = choice(...ways);
  return isNever(found) ? undefined : found;
}

/** Makes the rule of magnitudes without zero, for negative numbers. */
function withoutZero(low: Bound | undefined, high: Bound | undefined, whole: boolean): Node {
  const clamped = clampLow(low);
  const open = isZero(clamped) ? { ...clamped, open: true } : clamped;
  return magnitudes(open, high, whole) ?? NEVER;
}

function freeNumber(length: number, whole: boolean): Node {
  return sequence(ONE_TO_NINE, repeat(digit, length - 1, length - 1), whole ? EMPTY : freeFraction);
}

const freeFraction = optional(fraction);

function wholeDigits(edges: Edges, at: number, length: number, whole: boolean): Node {
  if (at === length) return fractionOf(edges, whole);
  if (!edges.low && !edges.high)
    return sequence(repeat(digit, length - at, length - at), whole ? EMPTY : freeFraction);
  const least = at === 0 && length > 1 ? 1 : 0;
  return digitsBetween(
    edges,
    (bound) => Number(bound.whole[at]),
    least,
    (next) => wholeDigits(next, at + 1, length, whole),
  );
}

/** Makes the rule of one digit and the rest: the digit of a bound, which still applies, or one between the bounds. */
function digitsBetween(
  edges: Edges,
  digitOf: (bound: Bound) => number,
  least: number,
  rest: (next: Edges) => Node,
): Node {
  const low = edges.low ? digitOf(edges.low) : undefined;
  const high = edges.high ? digitOf(edges.high) : undefined;
  const ways: Node[] = [];
  const add = (from: number, to: number, next: Edges) => {
    if (from <= to) ways.push(sequence(chars([[0x30 + from, 0x30 + to]]), rest(next)));
  };
  if (low !== undefined && low === high) {
    if (low >= least) add(low, low, edges);
    return choice(...ways);
  }
  if (low !== undefined && (high === undefined || low < high) && low >= least)
    add(low, low, { low: edges.low, high: undefined });
  if (high !== undefined && (low === undefined || high > low) && high >= least)
    add(high, high, { low: undefined, high: edges.high });
  add(Math.max(least, (low ?? -1) + 1), (high ?? 10) - 1, { low: undefined, high: undefined });
  return choice(...ways);
}

/** Makes the rule of the fraction, after whole digits that equal those of a bound. */
function fractionOf(edges: Edges, whole: boolean): Node {
  const ends = mayStop(edges, 0);
  if (whole) return ends ? EMPTY : NEVER;
  if (!edges.low && !edges.high) return freeFraction;
  return choice(ends ? EMPTY : NEVER, sequence(literal('.'), fractionDigits(edges, 0)));
}

function fractionDigits(edges: Edges, at: number): Node {
  if (at >= MAX_FRACTION) return NEVER;
  const beyond = Math.max(edges.low?.fraction.length ?? 0, edges.high?.fraction.length ?? 0);
  if (at > beyond) return NEVER;
  return digitsBetween(
    edges,
    (bound) => Number(bound.fraction[at] ?? '0'),
    0,
    (next) => {
      if (!next.low && !next.high) return repeat(digit, 0, MAX_FRACTION - at - 1);
      const stop = mayStop(next, at + 1) ? EMPTY : NEVER;
      return choice(stop, fractionDigits(next, at + 1));
    },
  );
}

/** Whether the number may end after `written` digits of the fraction; missing digits count as zeros. */
function mayStop({ low, high }: Edges, written: number): boolean {
  const isLow = low && /^0*$/.test(low.fraction.slice(written));
  const isHigh = high && /^0*$/.test(high.fraction.slice(written));
  if (low && (!isLow || low.open)) return false;
  return !(high && isHigh && high.open);
}
