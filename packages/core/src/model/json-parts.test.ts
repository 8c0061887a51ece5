import { describe, expect, it } from 'vitest';
import { makeConstant } from './constants.js';
import { type JsonPart, jsonParts, stringifyConstants } from './json-parts.js';

const constant = (value: object) => makeConstant(JSON.parse(JSON.stringify(value)) as object);
const messages = [
  { role: 'user', content: 'Hé "you", 你好 😀' },
  { role: 'assistant', content: '\ud800' },
];

const bodies: [string, () => Record<string, unknown>][] = [
  ['nothing', () => ({})],
  ['plain members', () => ({ model: 'm', n: 1, no: undefined, none: null, f: () => 1, o: { a: [1] } })],
  ['lists', () => ({ a: [], b: [1, undefined, null], c: [[], {}], d: [null, {}], e: ['x'] })],
  ['objects with gaps', () => ({ a: [{ b: undefined }, undefined, () => 1, { c: 1 }] })],
  ['constants', () => ({ messages: messages.map(constant), tools: constant([{ name: 'a' }]), last: 1 })],
  ['a constant among others', () => ({ messages: [constant({ a: 1 }), { b: 2 }, 3, undefined] })],
  ['a long list', () => ({ list: Array.from({ length: 5000 }, (_, at) => ({ at })) })],
];

function textOf(parts: readonly JsonPart[]): string {
  const bytes = parts.map((part) => (typeof part === 'string' ? new TextEncoder().encode(part) : part));
  return new TextDecoder().decode(Uint8Array.from(bytes.flatMap((part) => [...part])));
}

describe('the parts of a JSON text', () => {
  it.each(bodies)('are together what JSON.stringify writes, however often: %s', (_, make) => {
    const body = make();
    for (let turn = 0; turn < 3; turn++) {
      expect(stringifyConstants(body)).toBe(JSON.stringify(body));
      expect(textOf(jsonParts(body, true))).toBe(JSON.stringify(body));
    }
  });

  it('are bytes only of constants that were written before', () => {
    const body = { messages: messages.map(constant) };
    const bytes = () => jsonParts(body, true).filter((part) => typeof part !== 'string');
    expect(bytes()).toEqual([]);
    expect(bytes()).toHaveLength(2);
    expect(bytes()[0]).toBe(bytes()[0]);
  });
});
