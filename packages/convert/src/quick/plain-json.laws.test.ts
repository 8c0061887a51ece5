import { ExactNumber, parseExact, stringifyJson } from '@dragoman/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isExactly, isPlainValue, parseJson, writeJson } from './plain-json.js';

const exactly = (text: string) => isExactly(text, JSON.parse(text));

describe('the quick way through JSON', () => {
  it.each([
    '{"a":1.0}',
    '{"a" : 1.0}',
    '{"a"\n:\t1.0 }',
    '{"a":[1.0]}',
    '{"a":[{"b":[2,\n1.50]}]}',
    '{"a":1e2}',
    '{"a":-0}',
    '{"a":12345678901234567890}',
    '{"a":1,"a":1.0}',
    '{"a\\":1.0":2.0}',
    '{"a\\\\":1.0}',
    '1.0',
    '{"10":1}',
    '{"__proto__":1}',
    '{"\\u005f_proto__":1}',
    '{"\\u0031":1}',
    `${'['.repeat(513)}${']'.repeat(513)}`,
  ])('is not taken for %s', (text) => {
    expect(exactly(text)).toBe(false);
  });

  it.each([
    '{"a":1.5,"b":-1,"c":0,"d":1e+21,"e":123456789012345}',
    '{"a":"1.0","b":"x: 1.0, y: 2.0","c":1}',
    '{"text":"{\\"a\\": 1.0, \\"b\\":[1.0,2.0]}","c":[1]}',
    '{"text":"a \\\\","b":":1.0,","c":2}',
    '{"text":"\\\\\\":1.0,","c":2}',
    '{"01":1,"_proto_":1,"1a":1,"-1":1}',
    `${'['.repeat(512)}${']'.repeat(512)}`,
  ])('is taken for %s', (text) => {
    expect(exactly(text)).toBe(true);
  });

  it('reads and writes any JSON as the exact way does', () => {
    let plain = 0;
    fc.assert(
      fc.property(anyJson, (text) => {
        const read = parseJson(text);
        const exact = parseExact(text);
        if (isPlainValue(exact)) plain++;
        expect(stringifyJson(read, 'compact')).toBe(stringifyJson(exact, 'compact'));
        expect(writeJson(exact)).toBe(stringifyJson(exact, 'compact'));
        expect(isPlainValue(read)).toBe(isPlainValue(exact));
      }),
      { numRuns: 3000, seed: 11 },
    );
    expect(plain).toBeGreaterThan(300);
    expect(plain).toBeLessThan(2700);
  });

  it('says of what is no JSON where it breaks off', () => {
    expect(() => parseJson('{"a":1.}')).toThrow(/line 1, column 7/);
  });

  it('sees exact numbers and maps wherever they stand', () => {
    expect(isPlainValue({ a: [{ b: new ExactNumber('1.0') }] })).toBe(false);
    expect(isPlainValue([[new Map()]])).toBe(false);
    expect(isPlainValue({ a: [null, 'x', { b: 1 }] })).toBe(true);
  });
});

/** JSON text with odd numbers, odd keys, odd spaces, and JSON in strings. */
const space = fc.constantFrom('', '', '', ' ', '\n', '\t ');
const number = fc.constantFrom(
  '1',
  '0',
  '-1',
  '0.5',
  '12',
  '1.0',
  '1e2',
  '-0',
  '0.50',
  '12345678901234567890',
  '1E5',
);
const plainNumber = fc.constantFrom('1', '0', '-1', '0.5', '12');
const string = fc
  .array(
    fc.constantFrom('a', ':', ',', '[', ']', '}', '"', '\\', ' ', '1.0', '":1.0,', '{"x":2.0}', '北', '\n'),
    {
      maxLength: 6,
    },
  )
  .map((pieces) => JSON.stringify(pieces.join('')));
const key = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('"a"', '"b"', '"c d"', '"é"') },
  { weight: 1, arbitrary: string },
  { weight: 1, arbitrary: fc.constantFrom('"__proto__"', '"10"', '"2"', '"\\u0032"', '"constructor"') },
);

const anyJson: fc.Arbitrary<string> = fc.boolean().chain((odd) => {
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      odd ? number : plainNumber,
      string,
      fc.constantFrom('true', 'null'),
      fc
        .tuple(fc.array(fc.tuple(space, tie('value'), space), { maxLength: 3 }), space)
        .map(
          ([items, inner]) => `[${items.length > 0 ? items.map((item) => item.join('')).join(',') : inner}]`,
        ),
      fc
        .array(
          fc.tuple(space, odd ? key : fc.constantFrom('"a"', '"b"'), space, space, tie('value'), space),
          {
            maxLength: 4,
          },
        )
        .map((members) => `{${members.map(spelled).join(',')}}`),
    ),
  }));
  return value;
});

function spelled([before, name, behind, inner, value, after]: [
  string,
  string,
  string,
  string,
  string,
  string,
]): string {
  return `${before}${name}${behind}:${inner}${value}${after}`;
}
