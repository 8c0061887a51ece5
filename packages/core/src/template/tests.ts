// Jinja's tests: the names after `is`.

import {
  asNumber,
  Callable,
  compare,
  fault,
  isEqual,
  isIterable,
  itemsOf,
  Struct,
  Tuple,
  toText,
  typeName,
  Undefined,
  type Value,
  View,
} from './python.js';
import { isLower, isUpper } from './text.js';
import type { Work } from './work.js';

type Test = (value: Value, work: Work, other: Value) => boolean;

export function runTest(name: string, value: Value, args: readonly Value[], work: Work): boolean {
  const test = TESTS.get(name) ?? fault(`No test named '${name}'.`);
  return test(value, work, args[0] ?? null);
}

const equal: Test = (value, work, other) => isEqual(value, other, work);
const unequal: Test = (value, work, other) => !isEqual(value, other, work);
const less: Test = (value, work, other) => compare(value, other, work) < 0;
const greater: Test = (value, work, other) => compare(value, other, work) > 0;

const TESTS = new Map<string, Test>([
  ['defined', (value) => !(value instanceof Undefined)],
  ['undefined', (value) => value instanceof Undefined],
  ['none', (value) => value === null],
  ['string', (value) => typeof value === 'string'],
  ['mapping', (value) => value instanceof Map],
  ['sequence', (value) => isSequence(value)],
  ['iterable', (value) => isIterable(value)],
  ['boolean', (value) => typeof value === 'boolean'],
  ['true', (value) => value === true],
  ['false', (value) => value === false],
  ['integer', (value) => typeof value === 'bigint'],
  ['float', (value) => typeof asNumber(value) === 'number'],
  ['number', (value) => asNumber(value) !== undefined],
  ['callable', (value) => value instanceof Callable || value instanceof Undefined],
  ['odd', (value) => remainder(value, 2n) === 1],
  ['even', (value) => remainder(value, 2n) === 0],
  ['divisibleby', (value, _, other) => remainder(value, other) === 0],
  ['lower', (value, work) => isLower(toText(value, work))],
  ['upper', (value, work) => isUpper(toText(value, work))],
  ['in', (value, work, other) => isIn(value, other, work)],
  ['sameas', (value, _, other) => value === other],
  ['eq', equal],
  ['equalto', equal],
  ['==', equal],
  ['ne', unequal],
  ['!=', unequal],
  ['lt', less],
  ['lessthan', less],
  ['<', less],
  ['gt', greater],
  ['greaterthan', greater],
  ['>', greater],
  ['le', (value, work, other) => compare(value, other, work) <= 0],
  ['<=', (value, work, other) => compare(value, other, work) <= 0],
  ['ge', (value, work, other) => compare(value, other, work) >= 0],
  ['>=', (value, work, other) => compare(value, other, work) >= 0],
]);

function isSequence(value: Value): boolean {
  if (value instanceof View) return value.kind === 'range';
  return (
    typeof value === 'string' ||
    Array.isArray(value) ||
    value instanceof Map ||
    value instanceof Tuple ||
    value instanceof Undefined
  );
}

function remainder(value: Value, by: Value): number {
  const [a, b] = [asNumber(value), asNumber(by)];
  if (a === undefined || b === undefined)
    return fault(`cannot divide '${typeName(value)}' by '${typeName(by)}'`);
  if (Number(b) === 0) return fault('modulo by zero');
  const rest = Number(typeof a === 'bigint' && typeof b === 'bigint' ? a % b : Number(a) % Number(b));
  return Math.abs(rest);
}

/** Whether `item in container`, as in Python. */
export function isIn(item: Value, container: Value, work: Work): boolean {
  if (typeof container === 'string') {
    if (typeof item !== 'string') {
      return fault(`'in <string>' requires string as left operand, not ${typeName(item)}`);
    }
    work.scan(container.length);
    return container.includes(item);
  }
  if (container instanceof Map) return container.has(item);
  if (container === null || container instanceof Struct || !isIterable(container)) {
    return fault(`argument of type '${typeName(container)}' is not iterable`);
  }
  return itemsOf(container, work).some((other) => isEqual(item, other, work));
}
