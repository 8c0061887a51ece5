import { describe, expect, it } from 'vitest';
import { makeConstant } from './constants.js';
import { type JsonPart, jsonParts, stringifyConstants } from './json-parts.js';

const encode = (text: string) => new TextEncoder().encode(text);
const constant = (value: object) => makeConstant(JSON.parse(JSON.stringify(value)) as object);
const messages = [
  { role: 'user', content: 'Hé "you", 你好 😀' },
  { role: 'assistant', content: '\ud800' },
];

const LONG = 'Hé "you", 你好 😀'.repeat(100_000);

const bodies: [string, () => Record<string, unknown>][] = [
  ['nothing', () => ({})],
  ['plain members', () => ({ model: 'm', n: 1, no: undefined, none: null, f: () => 1, o: { a: [1] } })],
  ['lists', () => ({ a: [], b: [1, undefined, null], c: [[], {}], d: [null, {}], e: ['x'] })],
  ['objects with gaps', () => ({ a: [{ b: undefined }, undefined, () => 1, { c: 1 }] })],
  ['constants', () => ({ messages: messages.map(constant), tools: constant([{ name: 'a' }]), last: 1 })],
  ['a constant among others', () => ({ messages: [constant({ a: 1 }), { b: 2 }, 3, undefined] })],
  [
    'many items, some of them large, constants or nothing',
    () => ({
      list: Array.from({ length: 300 }, (_, at) => {
        const item = { at, text: LONG.slice(0, at % 31 === 0 ? 40_000 : 700) };
        if (at % 17 === 1) return undefined;
        return at % 13 === 0 ? constant(item) : item;
      }),
    }),
  ],
  ['a long list', () => ({ list: Array.from({ length: 5000 }, (_, at) => ({ at })) })],
  [
    'large values',
    () => ({ messages: [{ content: LONG.slice(0, 50_000) }, constant({ a: LONG.slice(0, 50_000) })] }),
  ],
  ['long values', () => ({ a: LONG, b: { c: LONG }, messages: [{ content: LONG }, undefined, {}] })],
  ['a long list of long values', () => ({ list: Array.from({ length: 5000 }, () => [LONG.slice(0, 300)]) })],
];

function textOf(parts: readonly JsonPart[]): string {
  const utf8 = new TextDecoder();
  const textOfPart = (part: JsonPart) => {
    if (typeof part === 'string') return part;
    return part instanceof Uint8Array ? utf8.decode(part) : [...part].join('');
  };
  return parts.map(textOfPart).join('');
}

describe('the parts of a JSON text', () => {
  it.each(bodies)('are together what JSON.stringify writes, however often: %s', (_, make) => {
    const body = make();
    for (let turn = 0; turn < 3; turn++) {
      expect(stringifyConstants(body) === JSON.stringify(body)).toBe(true);
      expect(textOf(jsonParts(body, encode)) === JSON.stringify(body)).toBe(true);
      expect(textOf(jsonParts(body)) === JSON.stringify(body)).toBe(true);
    }
  });

  it('are bytes only of constants that were written before', () => {
    const body = { messages: messages.map(constant) };
    const bytes = () => jsonParts(body, encode).filter((part) => part instanceof Uint8Array);
    expect(bytes()).toEqual([]);
    expect(bytes()).toHaveLength(2);
    expect(bytes()[0]).toBe(bytes()[0]);
  });

  it('are bytes of a large constant at once, and text of another large value', () => {
    const large = { content: LONG.slice(0, 50_000) };
    const body = { messages: [constant(large), large] };
    const bytes = () => jsonParts(body, encode).filter((part) => part instanceof Uint8Array);
    expect(bytes()).toHaveLength(1);
    expect(bytes()[0]).toBe(bytes()[0]);
  });

  it('are not written before they are read where they are long', () => {
    const parts = jsonParts({ model: 'm', messages: [{ content: LONG }] });
    expect(parts.filter((part) => typeof part === 'string').join('').length).toBeLessThan(100);
    const [long] = parts.filter((part) => typeof part !== 'string');
    for (const piece of long as Iterable<string>) expect(piece.length).toBeLessThan(LONG.length / 4);
  });
});
