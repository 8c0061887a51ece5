// Numbers within bounds, as rules. A decimal without an exponent is compared digit by digit, so its bounds are too:
//
//   at least 42    "4" [2-9] | [5-9] [0-9] | [1-9] [0-9] [0-9] …
//
// At each digit we know whether all before it were those of the lower bound, and of the upper one. While they were,
// the next must not leave it; once one differs, the rest is free.

import { charsOf, DIGIT } from './char-ranges.js';
import { chars, choice, EMPTY, literal, NEVER, type Node, optional, repeat, sequence } from './node.js';

export interface Bounds {
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

const digit = chars(DIGIT);
const ONE_TO_NINE = chars([[0x31, 0x39]]);
/** Digits in front of the point: more are no number anyone means. */
const MAX_WHOLE = 24;
const MAX_FRACTION = 18;

const natural = choice(literal('0'), sequence(ONE_TO_NINE, repeat(digit, 0, MAX_WHOLE - 1)));
const positive = sequence(ONE_TO_NINE, repeat(digit, 0, MAX_WHOLE - 1));

/** Any integer. `-0` is left out: it is none in every language. */
export const anyInteger: Node = choice(natural, sequence(literal('-'), positive));

const fraction = sequence(literal('.'), repeat(digit, 1, MAX_FRACTION));
const exponent = sequence(chars(charsOf('eE')), optional(chars(charsOf('+-'))));
/** With one digit before the point, up to the largest number there is. */
const hundreds = choice(
  sequence(chars(charsOf('12')), digit, digit),
  sequence(literal('30'), chars([[0x30, 0x37]])),
);

/** Any number that JSON can spell, as long as it is a finite one. */
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

/** Numbers within the bounds, without exponents; undefined where a bound has too many digits to be compared. */
export function boundedNumber(bounds: Bounds, whole: boolean): Node | undefined {
  const low = lowerOf(bounds);
  const high = upperOf(bounds);
  if (low === null || high === null) return undefined;
  const above = magnitudes(clampLow(low), high, whole);
  const below = magnitudes(clampLow(negated(high)), negated(low), whole);
  // Zero is written without a sign.
  const negative = below && sequence(literal('-'), withoutZero(negated(high), negated(low), whole));
  return choice(...[above ?? NEVER, negative ?? NEVER].filter((way) => way !== NEVER));
}

// --- bounds as digits ----------------------------------------------------------------------------------

/** A bound as decimal digits. Undefined: none. Null: it cannot be said. */
interface Bound {
  negative: boolean;
  whole: string;
  fraction: string;
  /** The bound itself does not count. */
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

/** `1e-7` is written out; the shortest digits that mean the number stay as they are. */
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

/** Of what is not negative, nothing lies below zero. */
function clampLow(bound: Bound | undefined): Bound {
  return !bound || (bound.negative && !isZero(bound)) ? ZERO : bound;
}

function isZero({ whole, fraction }: Bound): boolean {
  return /^0*$/.test(whole + fraction);
}

// --- digits within bounds ------------------------------------------------------------------------------

/** What is left of the bounds, digit by digit; undefined where the digits before were other ones. */
interface Edges {
  low: Bound | undefined;
  high: Bound | undefined;
}

/** Numbers from `low`, which is not negative, to `high`. Undefined where there are none. */
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
  const found = choice(...ways.filter((way) => !isNothing(way)));
  return isNothing(found) ? undefined : found;
}

function isNothing(node: Node): boolean {
  return node.type === 'any' && node.of.length === 0;
}

/** The same below zero, where zero itself has been written already. */
function withoutZero(low: Bound | undefined, high: Bound | undefined, whole: boolean): Node {
  const clamped = clampLow(low);
  const open = isZero(clamped) ? { ...clamped, open: true } : clamped;
  return magnitudes(open, high, whole) ?? NEVER;
}

function freeNumber(length: number, whole: boolean): Node {
  return sequence(ONE_TO_NINE, repeat(digit, length - 1, length - 1), whole ? EMPTY : freeFraction);
}

const freeFraction = optional(sequence(literal('.'), repeat(digit, 1, MAX_FRACTION)));

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

/** One digit: that of an edge, with what may follow on it; or one between the edges, with anything behind it. */
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
    if (from > to) return;
    const follow = rest(next);
    if (isNothing(follow)) return;
    ways.push(sequence(chars([[0x30 + from, 0x30 + to]]), follow));
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

/** Behind the whole digits, while they are those of an edge. */
function fractionOf(edges: Edges, whole: boolean): Node {
  const ends = mayStop(edges, 0);
  if (whole) return ends ? EMPTY : NEVER;
  if (!edges.low && !edges.high) return freeFraction;
  const digits = fractionDigits(edges, 0);
  const fraction = isNothing(digits) ? NEVER : sequence(literal('.'), digits);
  return choice(...[ends ? EMPTY : NEVER, fraction].filter((way) => !isNothing(way)));
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
      return choice(...[stop, fractionDigits(next, at + 1)].filter((way) => !isNothing(way)));
    },
  );
}

/** Whether the number may end with so many digits of the fraction written: shorter is smaller. */
function mayStop({ low, high }: Edges, written: number): boolean {
  const isLow = low && /^0*$/.test(low.fraction.slice(written));
  const isHigh = high && /^0*$/.test(high.fraction.slice(written));
  if (low && (!isLow || low.open)) return false;
  return !(high && isHigh && high.open);
}
