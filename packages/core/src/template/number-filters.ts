// The filters that give numbers.

import {
  type Arguments,
  asInteger,
  asNumber,
  bind,
  fault,
  toPlaces,
  typeName,
  Undefined,
  type Value,
} from './python.js';
import { strip } from './text.js';

export function absolute(value: Value): Value {
  const number = asNumber(value) ?? fault(`bad operand type for abs(): '${typeName(value)}'`);
  return number < 0 ? -number : number;
}

const INTEGER = /^[+-]?\d+(?:_\d+)*$/;
const FLOAT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
/** The most digits of an integer, as in Python. */
const MOST_DIGITS = 4300;

export function toInteger(value: Value, args: Arguments): Value {
  const [other = 0n, base = 10n] = bind('int', args, ['default', 'base']);
  if (value instanceof Undefined) return fault(value.message);
  if (typeof value === 'string' && base !== 10n) return parseBase(value, asInteger(base, 'base')) ?? other;
  const text = typeof value === 'string' ? strip(value, undefined, true, true) : '';
  if (INTEGER.test(text) && text.length <= MOST_DIGITS)
    return BigInt(text.replaceAll('_', '').replace('+', ''));
  const number = typeof value === 'string' ? parseFloatText(text) : asNumber(value);
  if (typeof number === 'bigint') return number;
  return number === undefined || !Number.isFinite(number) ? other : BigInt(Math.trunc(number));
}

function parseBase(text: string, base: number): bigint | undefined {
  const digits = strip(text, undefined, true, true)
    .toLowerCase()
    .replace(/^0[xob]/, '');
  const number = Number.parseInt(digits, base);
  return Number.isSafeInteger(number) && number.toString(base) === (digits.replace(/^0+(?=.)/, '') || '0')
    ? BigInt(number)
    : undefined;
}

function parseFloatText(text: string): number | undefined {
  return text.length <= MOST_DIGITS && FLOAT.test(text) ? Number(text) : undefined;
}

export function toFloat(value: Value, args: Arguments): Value {
  const [other = 0] = bind('float', args, ['default']);
  if (value instanceof Undefined) return fault(value.message);
  if (typeof value === 'string') return parseFloatText(strip(value, undefined, true, true)) ?? other;
  const number = asNumber(value);
  return number === undefined ? other : Number(number);
}

export function round(value: Value, args: Arguments): Value {
  const [precision = 0n, method = 'common'] = bind('round', args, ['precision', 'method']);
  const number = asNumber(value) ?? fault(`type ${typeName(value)} doesn't define __round__ method`);
  const places = asInteger(precision, 'precision');
  if (places < 0 || places > 20) fault('round: the precision must be from 0 to 20');
  const factor = 10 ** places;
  if (method === 'ceil') return Math.ceil(Number(number) * factor) / factor;
  if (method === 'floor') return Math.floor(Number(number) * factor) / factor;
  if (method !== 'common') fault('method must be common, ceil or floor');
  if (typeof number === 'bigint') return number;
  return Number(toPlaces(number, places));
}
