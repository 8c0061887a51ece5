// Python's operators.

import { formatPercent } from './format.js';
import {
  asInteger,
  asNumber,
  compare,
  fault,
  isEqual,
  isTrue,
  Tuple,
  toText,
  typeName,
  Undefined,
  type Value,
} from './python.js';
import { isIn } from './tests.js';
import type { Work } from './work.js';

/** The most bits of an integer. A larger result is an error. */
const MOST_BITS = 4096;
const LARGEST = 1n << BigInt(MOST_BITS);

const COMPARISONS = new Map<string, (a: Value, b: Value, work: Work) => Value>([
  ['==', isEqual],
  ['!=', (a, b, work) => !isEqual(a, b, work)],
  ['~', (a, b, work) => concatenate(toText(a, work), toText(b, work), work)],
  ['in', isIn],
  ['not in', (a, b, work) => !isIn(a, b, work)],
  ['<', (a, b, work) => compare(a, b, work) < 0],
  ['<=', (a, b, work) => compare(a, b, work) <= 0],
  ['>', (a, b, work) => compare(a, b, work) > 0],
  ['>=', (a, b, work) => compare(a, b, work) >= 0],
]);

/** Applies any operator except `and` and `or`, which may skip their right side. */
export function calculate(operator: string, a: Value, b: Value, work: Work): Value {
  return COMPARISONS.get(operator)?.(a, b, work) ?? arithmetic(operator, a, b, work);
}

function concatenate(a: string, b: string, work: Work): string {
  work.text(a.length + b.length);
  return a + b;
}

function arithmetic(operator: string, a: Value, b: Value, work: Work): Value {
  if (a instanceof Undefined) return fault(a.message);
  if (operator === '%' && typeof a === 'string') return formatPercent(a, b, work);
  if (b instanceof Undefined) return fault(b.message);
  const [x, y] = [asNumber(a), asNumber(b)];
  if (x !== undefined && y !== undefined) {
    if (typeof x === 'bigint' && typeof y === 'bigint') return integers(operator, x, y);
    return floats(operator, Number(x), Number(y));
  }
  if (operator === '+') {
    const sum = join(a, b, work);
    if (sum !== undefined) return sum;
  }
  if (operator === '*') {
    const product = typeof a === 'bigint' ? repeat(b, a, work) : repeat(a, b, work);
    if (product !== undefined) return product;
  }
  return fault(`unsupported operand type(s) for ${operator}: '${typeName(a)}' and '${typeName(b)}'`);
}

function join(a: Value, b: Value, work: Work): Value | undefined {
  if (typeof a === 'string' && typeof b === 'string') return concatenate(a, b, work);
  if (Array.isArray(a) && Array.isArray(b)) {
    work.spend(a.length + b.length);
    return a.concat(b);
  }
  if (a instanceof Tuple && b instanceof Tuple) {
    work.spend(a.items.length + b.items.length);
    return new Tuple([...a.items, ...b.items]);
  }
  return undefined;
}

function repeat(value: Value, times: Value, work: Work): Value | undefined {
  if (typeof times !== 'bigint' && typeof times !== 'boolean') return undefined;
  const count = Math.max(0, asInteger(times, '*'));
  if (typeof value === 'string') {
    work.text(value.length * count);
    return value.repeat(count);
  }
  if (!Array.isArray(value)) return undefined;
  work.spend(value.length * count);
  return Array.from({ length: count }, () => value).flat();
}

const INTEGERS = new Map<string, (a: bigint, b: bigint) => Value>([
  ['+', (a, b) => inRange(a + b)],
  ['-', (a, b) => inRange(a - b)],
  ['*', (a, b) => inRange(a * b)],
  ['/', (a, b) => Number(a) / Number(b)],
  ['//', (a, b) => (a - modulo(a, b)) / b],
  ['%', modulo],
  ['**', (a, b) => (b < 0n ? floats('**', Number(a), Number(b)) : power(a, b))],
]);

function integers(operator: string, a: bigint, b: bigint): Value {
  if (b === 0n && '//%'.includes(operator)) fault('division by zero');
  const apply = INTEGERS.get(operator) ?? fault(`unknown operator ${operator}`);
  return apply(a, b);
}

function inRange(value: bigint): bigint {
  return value > LARGEST || value < -LARGEST ? fault(`integers have at most ${MOST_BITS} bits here`) : value;
}

/** Gives the remainder with the sign of the divisor, as Python does. */
function modulo(a: bigint, b: bigint): bigint {
  return ((a % b) + b) % b;
}

function power(base: bigint, exponent: bigint): bigint {
  const bits = BigInt(base.toString(2).length);
  if (bits > 1n && bits * exponent > BigInt(MOST_BITS)) fault(`integers have at most ${MOST_BITS} bits here`);
  return base ** exponent;
}

const FLOATS = new Map<string, (a: number, b: number) => number>([
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
  ['*', (a, b) => a * b],
  ['/', (a, b) => a / b],
  ['//', (a, b) => Math.floor(a / b)],
  ['%', (a, b) => ((a % b) + b) % b],
  ['**', (a, b) => (Number.isFinite(a ** b) ? a ** b : fault('the power is out of range'))],
]);

function floats(operator: string, a: number, b: number): number {
  if (b === 0 && '//%'.includes(operator)) fault('float division by zero');
  const apply = FLOATS.get(operator) ?? fault(`unknown operator ${operator}`);
  return apply(a, b);
}

export function unary(operator: string, value: Value): Value {
  if (operator === 'not') return !isTrue(value);
  if (value instanceof Undefined) return fault(value.message);
  const number = asNumber(value) ?? fault(`bad operand type for unary ${operator}: '${typeName(value)}'`);
  return operator === '-' ? -number : number;
}
