import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ExactNumber,
  type ExactValue,
  inBothSpellings,
  indentJson,
  type JsonObject,
  type JsonValue,
  MAX_JSON_DEPTH,
  parseExact,
  readMembers,
  stringifyJson,
  toPlain,
} from './index.js';

const fixture: {
  numbers: [js: string, python: string][];
  strings: [text: string, python: string][];
  layouts: { value: JsonValue; line: string; indent0: string; indent2: string; indent4: string }[];
} = JSON.parse(readFileSync(new URL('./python-json.fixture.json', import.meta.url), 'utf8'));

/** JSON text with the digits, spaces and keys that JavaScript would not write. */
const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(
      fc.constantFrom(
        '1.0',
        '-0',
        '1e400',
        '12345678901234567890',
        '1E5',
        '0.10',
        '1e-7',
        'true',
        'false',
        'null',
      ),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
      fc.string({ unit: 'binary' }).map((value) => JSON.stringify(value)),
      fc.constantFrom('"\\u0041\\/"', '"\\ud83d"', '"\\b\\f"'),
    ),
    tie('object'),
    tie('array'),
  ),
  object: fc
    .array(fc.tuple(fc.constantFrom('a', 'b', '1', '10', '01', '__proto__', 'constructor', ''), tie('value')))
    .map((members) => `{ ${members.map(([key, value]) => `"${key}" :\t${value}`).join(',\n')}}`),
  array: fc.array(tie('value')).map((items) => `[${items.join(' , ')} ]`),
})).value;

describe('parseExact', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const plain = toPlain(parseExact(text));
        // The matchers overlook `__proto__` and stumble over `constructor`.
        expect(isDeepStrictEqual(plain, JSON.parse(text))).toBe(true);
      }),
    );
  });

  it('reads back what JSON.stringify writes, and that is written again letter by letter', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = JSON.stringify(value);
        expect(stringifyJson(parseExact(text), 'compact')).toBe(text);
        expect(toPlain(parseExact(text))).toStrictEqual(JSON.parse(text));
      }),
    );
  });

  it('refuses what JSON.parse refuses', () => {
    const randomInput = fc.array(fc.constantFrom(...'{}[]",:01-+.eEtrufalsn\\ \n\u0001'), { maxLength: 12 });
    const texts = fc.oneof(
      randomInput.map((characters) => characters.join('')),
      fc.tuple(jsonText, fc.nat(), fc.constantFrom(...'{}[]",:0-.e\\ \n')).map(([text, at, character]) => {
        const cut = at % (text.length + 1);
        return text.slice(0, cut) + character + text.slice(cut + 1);
      }),
    );
    const refused = (read: () => unknown): boolean => {
      try {
        read();
        return false;
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError);
        return true;
      }
    };
    fc.assert(
      fc.property(texts, (text) => {
        expect(refused(() => parseExact(text))).toBe(refused(() => JSON.parse(text)));
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps the digits of numbers that JavaScript would print otherwise', () => {
    const exact = ['1.0', '-0', '1e400', '12345678901234567890', '1E5', '0.10', '1e21', '1e5'];
    for (const text of exact) expect(parseExact(text)).toStrictEqual(new ExactNumber(text));
    for (const text of ['0', '-1', '1.5', '1e+21', '1e-7', '100000000000000000000']) {
      expect(parseExact(text)).toBe(Number(text));
    }
  });

  it('keeps the order of integer-like keys and the key __proto__', () => {
    const map = parseExact('{"b":1,"10":2,"2":3}');
    expect(map).toBeInstanceOf(Map);
    expect([...(map as Map<string, ExactValue>).keys()]).toEqual(['b', '10', '2']);
    expect(parseExact('{"__proto__":{"x":1}}')).toStrictEqual(new Map([['__proto__', { x: 1 }]]));
    expect(parseExact('{"01":1,"-1":2,"1.5":3,"constructor":4}')).toStrictEqual(
      JSON.parse('{"01":1,"-1":2,"1.5":3,"constructor":4}'),
    );
  });

  it('lets the last of two equal keys win, at the place of the first', () => {
    expect(stringifyJson(parseExact('{"a":1,"b":2,"a":3}'), 'compact')).toBe('{"a":3,"b":2}');
    expect(stringifyJson(parseExact('{"2":1,"b":2,"2":3}'), 'compact')).toBe('{"2":3,"b":2}');
  });

  it('says line and column', () => {
    expect(() => parseExact('{\n  "a": x\n}')).toThrow(/^line 2, column 8: expected a value, found "x"$/);
    expect(() => parseExact('[1')).toThrow(
      "line 1, column 3: expected ',' or ']', found the end of the text",
    );
    expect(() => parseExact('"\n"')).toThrow('line 1, column 2');
    expect(() => parseExact('')).toThrow('line 1, column 1');
  });

  it('reads 512 levels and refuses more with a clear message', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(stringifyJson(parseExact(nested(MAX_JSON_DEPTH)), 'compact')).toBe(nested(MAX_JSON_DEPTH));
    expect(() => parseExact(nested(MAX_JSON_DEPTH + 1))).toThrow('nested deeper than 512');
    expect(() => parseExact('{"a":'.repeat(100_000))).toThrow('nested deeper than 512');
  });
});

describe('toPlain', () => {
  it('makes __proto__ an own property and touches no prototype', () => {
    const plain = toPlain(parseExact('{"__proto__":{"polluted":true},"1":1.0}')) as object;
    expect(Object.keys(plain)).toEqual(['1', '__proto__']);
    expect(Object.getPrototypeOf(plain)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
    expect((plain as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('stringifyJson', () => {
  it('writes compact JSON as JSON.stringify does, with any indent', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 10 }), (value, indent) => {
        expect(stringifyJson(value as JsonValue, 'compact')).toBe(JSON.stringify(value));
        expect(indentJson(value as JsonValue, indent)).toBe(JSON.stringify(value, null, indent));
      }),
    );
  });

  it('writes exact text in either style without changing a number or an order', () => {
    const text = '{"b":1.0,"1":12345678901234567890,"__proto__":-0}';
    expect(stringifyJson(parseExact(text), 'compact')).toBe(text);
    expect(stringifyJson(parseExact(text), 'python')).toBe(
      '{"b": 1.0, "1": 12345678901234567890, "__proto__": -0}',
    );
  });

  it('spells numbers as Python does', () => {
    for (const [js, python] of fixture.numbers) expect(stringifyJson(Number(js), 'python')).toBe(python);
  });

  it('spells strings as Python does', () => {
    for (const [text, python] of fixture.strings) expect(stringifyJson(text, 'python')).toBe(python);
  });

  it('lays out as Python does', () => {
    for (const { value, line, indent0, indent2, indent4 } of fixture.layouts) {
      expect(stringifyJson(value, 'python')).toBe(line);
      expect(indentJson(value, 0, 'python')).toBe(indent0);
      expect(indentJson(value, 2, 'python')).toBe(indent2);
      expect(indentJson(value, 4, 'python')).toBe(indent4);
    }
  });

  it('escapes lone surrogates and nothing else that is not ASCII', () => {
    for (const style of ['compact', 'python'] as const) {
      expect(stringifyJson('\ud83d x \ude00 😀 \u2028 \u007f é', style)).toBe(
        '"\\ud83d x \\ude00 😀 \u2028 \u007f é"',
      );
    }
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((c) => String.fromCharCode(c)) }),
        (text) => {
          expect(stringifyJson(text, 'python').isWellFormed()).toBe(true);
          expect(JSON.parse(stringifyJson({ [text]: text }, 'python'))).toEqual(
            JSON.parse(JSON.stringify({ [text]: text })),
          );
        },
      ),
    );
  });

  it('spells an object in both styles at once as in each', () => {
    const undefinedToo = fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.constant(undefined)));
    fc.assert(
      fc.property(undefinedToo, (value) => {
        const object = value as JsonObject;
        const compact = stringifyJson(object, 'compact');
        expect(inBothSpellings(object)).toEqual({ compact, python: stringifyJson(object, 'python') });
        expect(compact).toBe(JSON.stringify(object));
      }),
    );
  });

  it('leaves out members that are undefined, as JSON.stringify does', () => {
    const value = { a: undefined, b: [undefined] } as unknown as JsonValue;
    expect(stringifyJson(value, 'compact')).toBe(JSON.stringify(value));
  });

  it('writes numbers that JSON cannot say as null', () => {
    expect(stringifyJson([Number.NaN, Number.POSITIVE_INFINITY], 'python')).toBe('[null, null]');
  });
});

describe('readMembers', () => {
  it('gives the members in the order of the text, exact', () => {
    expect(readMembers('{"b": 1.0, "2": "x", "1": null, "__proto__": []}')).toStrictEqual([
      { key: 'b', value: new ExactNumber('1.0') },
      { key: '2', value: 'x' },
      { key: '1', value: null },
      { key: '__proto__', value: [] },
    ]);
    expect(readMembers(' {} ')).toEqual([]);
  });

  it('refuses what is no object', () => {
    for (const text of ['[]', '1.0', 'null', '"x"', '']) expect(() => readMembers(text)).toThrow(SyntaxError);
  });
});

it('python: values are written as member by member, whatever they hold', () => {
  const values: ExactValue[] = [
    {
      a: [1, -2.5, 1e21, 1e300, true, false, null, 'x,\n y: [1]', '\u2028\ud800"\\'],
      b: {},
      c: [],
      'd,\n': { e: [[], [{}]] },
    },
    { small: 0.00001 },
    [-0, 0, 0.0001],
    { a: new ExactNumber('1.0'), b: [1] },
    new Map<string, ExactValue>([
      ['2', 1],
      ['1', { a: [1, 2] }],
    ]),
    [[1, [2, { a: undefined as never, b: 3 }]], []],
  ];
  const spelled = values.map((value) => stringifyJson(value, 'python'));
  expect(spelled).toEqual([
    '{"a": [1, -2.5, 1e+21, 1e+300, true, false, null, "x,\\n y: [1]", "\u2028\\ud800\\"\\\\"], "b": {}, "c": [], "d,\\n": {"e": [[], [{}]]}}',
    '{"small": 1e-05}',
    '[0, 0, 0.0001]',
    '{"a": 1.0, "b": [1]}',
    '{"2": 1, "1": {"a": [1, 2]}}',
    '[[1, [2, {"b": 3}]], []]',
  ]);
});
