// Compares JSON values as a tool would see them: numbers by value, whatever their spelling, members in any order.

import { ExactNumber, type ExactValue, stringifyJson } from '@dragoman/core/internal';
import { isRow, keysOf, memberAt } from '../forms/members.js';

/** Describes the first difference, with its path; undefined if both are the same. */
export function differenceOf(found: ExactValue, expected: ExactValue, path = ''): string | undefined {
  if (isRow(expected) && isRow(found)) {
    for (const key of keysOf(expected)) {
      const wanted = memberAt(expected, key) as ExactValue;
      const at = path === '' ? key : `${path}.${key}`;
      const given = memberAt(found, key);
      if (given === undefined) return `${at} is missing`;
      const inside = differenceOf(given, wanted, at);
      if (inside !== undefined) return inside;
    }
    const extra = keysOf(found).find((key) => memberAt(expected, key) === undefined);
    return extra === undefined ? undefined : `${path === '' ? extra : `${path}.${extra}`} is not expected`;
  }
  if (Array.isArray(expected) && Array.isArray(found)) {
    for (const [at, wanted] of expected.entries()) {
      if (at >= found.length) return `${path}[${at}] is missing`;
      const inside = differenceOf(found[at] as ExactValue, wanted, `${path}[${at}]`);
      if (inside !== undefined) return inside;
    }
    return found.length > expected.length ? `${path}[${expected.length}] is not expected` : undefined;
  }
  if (sameScalar(found, expected)) return undefined;
  return `${path === '' ? 'the arguments' : path}: expected ${shown(expected)}, found ${shown(found)}`;
}

export function isSame(one: ExactValue, other: ExactValue): boolean {
  return differenceOf(one, other) === undefined;
}

function sameScalar(one: ExactValue, other: ExactValue): boolean {
  if (one === other) return true;
  const a = numberText(one);
  const b = numberText(other);
  if (a === undefined || b === undefined || Number(a) !== Number(b)) return false;
  // Beyond 2^53 two integers may be one JavaScript number: there the digits decide.
  const value = Number(a);
  return Number.isSafeInteger(value) || !Number.isInteger(value) || wholeDigits(a) === wholeDigits(b);
}

function numberText(value: ExactValue): string | undefined {
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'number' ? String(value) : undefined;
}

/** Gives the digits of a large whole number; of one with an exponent, those of its value. */
function wholeDigits(text: string): string {
  const [whole = '', fraction = ''] = text.split('.');
  const isPlain = /^-?[0-9]+$/.test(whole) && /^0*$/.test(fraction);
  return isPlain ? whole : String(Number(text));
}

const SHOWN = 60;

export function shown(value: ExactValue | undefined): string {
  const text = value === undefined ? 'nothing' : stringifyJson(value, 'compact');
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
