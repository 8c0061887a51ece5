import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RepairCode } from '../model/index.js';
import {
  type JsonFailure,
  JsonReader,
  type JsonReaderOptions,
  type JsonStop,
  readJson,
  type ValueHint,
} from './json.js';

interface Drive extends JsonReaderOptions {
  watch?: number;
  hint?: ValueHint;
  /** At a failure: give up on what is inside this many containers, and read on. */
  skipTo?: number;
}

interface Reading {
  json: string;
  done: boolean;
  /** How many characters were read. */
  end: number;
  failures: JsonFailure[];
  repairs: { code: RepairCode; at: number }[];
  duplicates: { key: string; at: number }[];
  /** Each stop with the place where it was made and the JSON that went before it. */
  stops: (JsonStop & { at: number; json: string })[];
  depth: number;
}

/** Drives a reader as a family does: text arrives in pieces, what is unread stays in the window. */
function readPieces(pieces: Iterable<string>, { watch = -1, hint, skipTo, ...options }: Drive = {}): Reading {
  const reader = new JsonReader(options);
  reader.watch = watch;
  reader.hint = hint;
  const { repairs, duplicates } = reader;
  const reading = { json: '', end: 0, failures: [] as JsonFailure[], stops: [] as Reading['stops'] };
  let window = '';
  const readOn = (ended: boolean) => {
    for (let at = 0; ; ) {
      const to = reader.read(window, at, ended);
      reading.end += to - at;
      at = to;
      reading.json += reader.take();
      const stop = reader.nextStop();
      if (stop) reading.stops.push({ ...stop, at: reading.end, json: reading.json });
      else if (reader.failure && reading.failures.length === 0 && skipTo !== undefined) {
        reading.failures.push(reader.failure);
        reader.skipTo(skipTo);
      } else {
        window = window.slice(at);
        return;
      }
    }
  };
  for (const piece of pieces) {
    window += piece;
    readOn(false);
  }
  readOn(true);
  if (reader.failure) reading.failures.push(reader.failure);
  return { ...reading, done: reader.done, repairs, duplicates, depth: reader.depth };
}

const characters = (text: string) => Array.from({ length: text.length }, (_, at) => text.charAt(at));

/** The text in pieces of these lengths, over and over. */
function cut(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, n = 0; at < text.length; n++) {
    const length = lengths[n % lengths.length] ?? 1;
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

const cutting = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 });

/** JSON as its tokens, with digits and escapes that JavaScript would not write. */
const tokens: fc.Arbitrary<string[]> = fc.letrec<{ value: string[]; object: string[]; array: string[] }>(
  (tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc
        .oneof(
          fc.constantFrom(
            '1.0',
            '-0',
            '1e400',
            '12345678901234567890',
            '1E+5',
            '0.10',
            'true',
            'false',
            'null',
          ),
          fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
          fc.string({ unit: 'binary' }).map((value) => JSON.stringify(value)),
          fc.constantFrom(
            '"\\u0041\\/"',
            '"\\ud83d"',
            '"\ud83d"',
            '"\ude00"',
            '"</x>"',
            '"a\\"}, {"',
            `"it's"`,
          ),
        )
        .map((token) => [token]),
      tie('object'),
      tie('array'),
    ),
    object: fc
      .array(fc.tuple(fc.constantFrom('a', 'b', '1', '', '__proto__', '\\"', '\\u0041'), tie('value')))
      .map((members) => [
        '{',
        ...members.flatMap(([key, value], n) => [...(n ? [','] : []), `"${key}"`, ':', ...value]),
        '}',
      ]),
    array: fc
      .array(tie('value'))
      .map((items) => ['[', ...items.flatMap((value, n) => [...(n ? [','] : []), ...value]), ']']),
  }),
).value;

const spaces = fc.array(fc.constantFrom('', '', ' ', '\n', '\r\n', '\t', '   ', ' '.repeat(300)), {
  minLength: 1,
});

const jsonAndLayout = fc.tuple(tokens, spaces).map(([list, space]) => ({
  compact: list.join(''),
  text: list.map((token, n) => token + (space[n % space.length] ?? '')).join(''),
}));

describe('well-formed JSON', () => {
  it('is read as it is, without its spaces, digits and escapes untouched, and nothing is repaired', () => {
    fc.assert(
      fc.property(jsonAndLayout, ({ compact, text }) => {
        expect(readJson(text)).toMatchObject({ json: compact, repairs: [] });
        expect(isDeepStrictEqual(JSON.parse(compact), JSON.parse(text))).toBe(true);
      }),
    );
  });

  it('is read the same in any cutting, surrogate pairs cut too', () => {
    fc.assert(
      fc.property(jsonAndLayout, cutting, ({ compact, text }, lengths) => {
        const reading = readPieces(cut(text, lengths));
        expect(reading).toMatchObject({ json: compact, done: true, repairs: [], failures: [], depth: 0 });
        expect(reading).toEqual(readPieces([text]));
      }),
    );
  });

  it('may be any value that JSON.stringify writes, in any indent', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.nat({ max: 4 }), (value, indent) => {
        expect(readJson(JSON.stringify(value, null, indent))).toEqual({
          json: JSON.stringify(value),
          repairs: [],
          duplicates: [],
        });
      }),
    );
  });

  it('is given as it arrives, and nothing given is taken back', () => {
    fc.assert(
      fc.property(jsonAndLayout, ({ compact, text }) => {
        const reader = new JsonReader();
        reader.watch = -1;
        let window = '';
        let given = '';
        for (const character of characters(text)) {
          window += character;
          window = window.slice(reader.read(window, 0, false));
          if (reader.out === given) continue;
          expect(reader.out.startsWith(given)).toBe(true);
          given = reader.out;
        }
        reader.read(window, 0, true);
        expect(reader.out.startsWith(given)).toBe(true);
        expect(reader.out).toBe(compact);
      }),
    );
  });

  it.each([
    ['{"a":"hel', '{"a":"hel'],
    ['{"a":"hel"', '{"a":"hel'], // the quote may belong to the string
    ['{"a":"hel",', '{"a":"hel'],
    ['{"a":"hel","', '{"a":"hel",'],
    ['{"a":"hel"}', '{"a":"hel"}'],
    ['{"key', '{'], // a key is given whole
    ['[12', '['], // and so is a number
    ['[12,', '[12'],
    ['["\\', '["'],
    ['["\\u00', '["'],
    ['["\\u00e9', '["\\u00e9'],
    ['["\ud83d', '["'],
    ['["\ud83d\ude00', '["\ud83d\ude00'],
  ])('of %j gives %j so far', (text, json) => {
    const reader = new JsonReader();
    reader.watch = -1;
    reader.read(text, 0, false);
    expect(reader.out).toBe(json);
  });
});

/** What is read generously: the text, the JSON read, and each repair with its place. */
const repaired: [text: string, json: string, ...[RepairCode, number][]][] = [
  ['{"a":1,}', '{"a":1}', ['trailing-comma', 6]],
  ['[1 , ]', '[1]', ['trailing-comma', 3]],
  ['[,1]', '[1]', ['trailing-comma', 1]],
  ['[1,,2]', '[1,2]', ['trailing-comma', 3]],
  ['{"a":1,,"b":2}', '{"a":1,"b":2}', ['trailing-comma', 7]],
  ['{"a":1 "b":2}', '{"a":1,"b":2}', ['missing-comma', 7]],
  ['{"a":"x"\n"b":2}', '{"a":"x","b":2}', ['missing-comma', 9]],
  ['{"a":[1]"b":{}"c":3}', '{"a":[1],"b":{},"c":3}', ['missing-comma', 8], ['missing-comma', 14]],
  ['[1 2]', '[1,2]', ['missing-comma', 3]],
  ['["a" "b"]', '["a","b"]', ['missing-comma', 5]],
  ['[{}{}]', '[{},{}]', ['missing-comma', 3]],
  ['[1,// one\n2]', '[1,2]', ['comment', 3]],
  ['[/* none */]', '[]', ['comment', 1]],
  ['{/* k */"a":/* v */1}', '{"a":1}', ['comment', 1], ['comment', 12]],
  ['{"a":"b"// c\n}', '{"a":"b"}', ['comment', 8]],
  [`{'a':'b'}`, '{"a":"b"}', ['single-quotes', 1], ['single-quotes', 5]],
  [`['say "hi"']`, '["say \\"hi\\""]', ['single-quotes', 1]],
  [`['it\\'s']`, `["it's"]`, ['single-quotes', 1], ['bad-escape', 4]],
  ['{a:1,b_2:2}', '{"a":1,"b_2":2}', ['unquoted-key', 1], ['unquoted-key', 5]],
  ['{北京:1}', '{"北京":1}', ['unquoted-key', 1]],
  ['{1:2}', '{"1":2}', ['unquoted-key', 1]],
  ['["a\nb"]', '["a\\nb"]', ['control-character', 3]],
  ['["a\tb\u0001"]', '["a\\tb\\u0001"]', ['control-character', 3], ['control-character', 5]],
  ['{"a\rb":1}', '{"a\\rb":1}', ['control-character', 3]],
  ['["\\d+"]', '["\\\\d+"]', ['bad-escape', 2]],
  ['["C:\\Users"]', '["C:\\\\Users"]', ['bad-escape', 4]],
  ['["\\u12"]', '["\\\\u12"]', ['bad-escape', 2]],
  ['["a\\\nb"]', '["a\\nb"]', ['bad-escape', 3]],
  ['{"a" = 1}', '{"a":1}', ['missing-colon', 5]],
  ['{a 1}', '{"a":1}', ['unquoted-key', 1], ['missing-colon', 3]],
  ['{"a":[1,2}', '{"a":[1,2]}', ['missing-bracket', 9]],
  ['[{"a":1]', '[{"a":1}]', ['missing-bracket', 7]],
  ['{"a":1]}', '{"a":1}', ['extra-bracket', 6]],
  ['{"a":"b"c"}', '{"a":"b\\"c"}', ['unescaped-quote', 7]],
];

describe('JSON as models write it', () => {
  it.each(repaired)('%j is read as %j', (text, json, ...repairs) => {
    expect(JSON.parse(json)).toBeDefined();
    const expected = { json, done: true, failures: [], repairs: repairs.map(([code, at]) => ({ code, at })) };
    expect(readPieces([text])).toMatchObject(expected);
    expect(readPieces(characters(text))).toMatchObject(expected);
  });

  const nests: [before: string, after: string][] = [
    ['{"k":', '}'],
    ['[[],', ',0]'],
    ['{"k":{"l":[', '],"m":""}}'],
  ];
  // A bracket that fits one further out is another story: see below.
  const nestable = repaired.filter(([, , first]) => first?.[0] !== 'extra-bracket');
  it.each(nestable)('%j is read as %j inside of other values', (text, json, ...repairs) => {
    for (const [before, after] of nests) {
      const expected = repairs.map(([code, at]) => ({ code, at: at + before.length }));
      const nested = before + text + after;
      expect(readJson(nested)).toEqual({ json: before + json + after, repairs: expected, duplicates: [] });
      expect(readPieces(characters(nested))).toEqual(readPieces([nested]));
    }
  });

  it.each([
    ['True', 'true', 'python-word'],
    ['False', 'false', 'python-word'],
    ['None', 'null', 'python-word'],
    ['.5', '0.5', 'number-format'],
    ['-.5', '-0.5', 'number-format'],
    ['+1', '1', 'number-format'],
    ['5.', '5.0', 'number-format'],
    ['0x1F', '31', 'number-format'],
    ['0xffffffffffffffffff', '4722366482869645213695', 'number-format'],
    ['1_000_000', '1000000', 'number-format'],
    ['007', '"007"', 'number-format'], // leading zeros mean something
  ])('the word %s is read as %s', (word, json, code) => {
    for (const [before, after] of [
      ['[', ']'],
      ['{"a": ', ' }'],
      ['[[0, ', ', 1]]'],
    ] as const) {
      const reading = readPieces([before + word + after]);
      expect(reading).toMatchObject({ json: (before + json + after).replaceAll(' ', ''), done: true });
      expect(reading.repairs.map((repair) => repair.code)).toEqual([code]);
      const place = reading.repairs[0]?.at ?? -1;
      expect(place).toBeGreaterThanOrEqual(before.length);
      expect(place).toBeLessThan(before.length + word.length);
      expect(readPieces(characters(before + word + after))).toEqual(reading);
    }
  });

  it('a bracket that is open further out closes what is inside of it', () => {
    const json = '[{"a":[1,{"b":2}]}]';
    const missing = (...places: number[]) => places.map((at) => ({ code: 'missing-bracket', at }));
    expect(readJson('[{"a":[1,{"b":2]}]')).toEqual({ json, repairs: missing(15), duplicates: [] });
    expect(readJson('[{"a":[1,{"b":2]]')).toEqual({ json, repairs: missing(15, 16), duplicates: [] });
  });

  it.each([
    '',
    ' ',
    '{',
    '[',
    '{"a":1',
    '{"a":"b',
    '"abc',
    '{"a"}',
    '{"a":}',
    '{"a":,"b":1}',
    '[1:2]',
    'nul',
    'undefined',
    'NaN',
    '-',
    '[1.2.3]',
    '[abc]',
    '{"a":1}}',
    '{"a":1} x',
    '1 2',
    '@',
    '{@:1}',
  ])('%j is no value', (text) => {
    expect(readJson(text)).toBeUndefined();
  });

  it('a number at the end of the text is complete only where nothing is open', () => {
    expect(readPieces(['12'])).toMatchObject({ json: '12', done: true });
    expect(readPieces(['[12'])).toMatchObject({ json: '[', done: false, failures: [] });
  });

  it('leaves what stands behind the value unread', () => {
    expect(readPieces(['{"a":1} and more'])).toMatchObject({ json: '{"a":1}', done: true, end: 7 });
  });

  it('says which keys stand twice, and gives both', () => {
    const reading = readPieces(['{"a":1,"b":{"a":2},"a":3,a:4}']);
    expect(reading.json).toBe('{"a":1,"b":{"a":2},"a":3,"a":4}');
    expect(reading.duplicates.map(({ key }) => key)).toEqual(['a', 'a']);
    expect(JSON.parse(reading.json)).toEqual({ a: 4, b: { a: 2 } });
  });
});

/** Rows of: what a model wrote, what it meant. */
const quotes: [text: string, value: unknown][] = [
  ['{"a":"say "hi" now"}', { a: 'say "hi" now' }],
  ['{"a":"x"y","b":"z"}', { a: 'x"y', b: 'z' }],
  ['["a"b","c"]', ['a"b', 'c']],
  ['{"a":["b"c","d"]}', { a: ['b"c', 'd'] }],
  ['"a"b"', 'a"b'],
  ['{"a":"he said "hi", and left"}', { a: 'he said "hi", and left' }],
  ['{"a":"one "two": three"}', { a: 'one "two": three' }],
  ['{"html":"<a href="x">y</a>","b":1}', { html: '<a href="x">y</a>', b: 1 }],
  ['{"cmd":"grep "foo" file | awk "{print}""}', { cmd: 'grep "foo" file | awk "{print}"' }],
  ['{"cmd":"echo "a b""}', { cmd: 'echo "a b"' }],
  ['{"k"ey":1}', { 'k"ey': 1 }],
  [`{'a':'it's ok','b':'don't'}`, { a: "it's ok", b: "don't" }],
  [`['it's']`, ["it's"]],
  ['{"a":"5" tall","b":2}', { a: '5" tall', b: 2 }],
  ['{"a":"","b":"""}', { a: '', b: '"' }],
  ['{"a":"x" "b":"y"}', { a: 'x', b: 'y' }], // a key follows: the comma is missing
  ['{"a":"x", "b":"y"}', { a: 'x', b: 'y' }],
  ['{"a":"x"\n, b: 1}', { a: 'x', b: 1 }],
  ['["x" , null]', ['x', null]],
];

describe('a quote inside a string that was not escaped', () => {
  it.each(quotes)('%s', (text, value) => {
    const read = readJson(text);
    expect(read && JSON.parse(read.json)).toEqual(value);
    expect(readPieces(characters(text))).toMatchObject({ ...read, done: true });
  });

  it('is a repair at the place of each such quote', () => {
    const text = '{"a":"say "hi" now"}';
    expect(readJson(text)?.repairs).toEqual([
      { code: 'unescaped-quote', at: text.indexOf('"hi') },
      { code: 'unescaped-quote', at: text.indexOf('" now') },
    ]);
  });

  it('is held back until what follows it tells: a few characters, and not more than 256 of white space', () => {
    const reader = new JsonReader();
    reader.watch = -1;
    const text = `{"a":"b"${' '.repeat(255)}`;
    expect(reader.read(text, 0, false)).toBe(text.indexOf('"', 6));
    expect(reader.read(`"${' '.repeat(256)}`, 0, false)).toBe(257);
    expect(reader.out).toBe('{"a":"b"');
  });
});

// ---------------------------------------------------------------- jsonrepair as an oracle

// ---------------------------------------------------------------- stops, closers, limits

describe('a watched reader', () => {
  const brief = (stops: Reading['stops']) =>
    stops.map(
      ({ type, depth, key, first }) => `${type} ${depth}${key === undefined ? '' : ` ${key}`} ${first}`,
    );

  it('stops at the begin and the end of each value, down to the depth it watches', () => {
    const text = '[{"name": "f", "args": {"x": [1]}}, 2]';
    expect(brief(readPieces([text], { watch: -1 }).stops)).toEqual([]);
    expect(brief(readPieces([text], { watch: 0 }).stops)).toEqual(['begin 0 [', 'end 0 ']);
    expect(brief(readPieces([text], { watch: 2 }).stops)).toEqual([
      'begin 0 [',
      'begin 1 {',
      'begin 2 name "',
      'end 2 name ',
      'begin 2 args {',
      'end 2 args ',
      'end 1 ',
      'begin 1 2',
      'end 1 ',
      'end 0 ',
    ]);
  });

  it('stops just before the value and just behind it, with its JSON in between', () => {
    const text = '{ "a" : [1, 2] , "b\\u0021": "x" }';
    const { stops } = readPieces(characters(text), { watch: 1 });
    expect(stops.map(({ at, key }) => [text.slice(0, at), key])).toEqual([
      ['{ "a" : '.slice(0, 0), undefined],
      ['{ "a" : ', 'a'],
      ['{ "a" : [1, 2]', 'a'],
      ['{ "a" : [1, 2] , "b\\u0021": ', 'b!'],
      ['{ "a" : [1, 2] , "b\\u0021": "x"', 'b!'],
      [text, undefined],
    ]);
    expect(stops.map(({ json }) => json)).toEqual([
      '',
      '{"a":',
      '{"a":[1,2]',
      '{"a":[1,2],"b\\u0021":',
      '{"a":[1,2],"b\\u0021":"x"',
      '{"a":[1,2],"b\\u0021":"x"}',
    ]);
  });

  it('makes the same stops in any cutting', () => {
    fc.assert(
      fc.property(jsonAndLayout, cutting, fc.integer({ min: -1, max: 3 }), ({ text }, lengths, watch) => {
        expect(readPieces(cut(text, lengths), { watch })).toEqual(readPieces([text], { watch }));
      }),
    );
  });

  it('gives the first character of a value that is no JSON, too', () => {
    expect(brief(readPieces([' @'], { watch: 0 }).stops)).toEqual(['begin 0 @']);
  });
});

describe('a closer of the dialect', () => {
  const closer = (text: string, at: number, ended: boolean) => {
    if (text.startsWith('</x>', at)) return 4;
    return !ended && '</x>'.startsWith(text.slice(at)) && at < text.length ? -1 : 0;
  };
  const read = (text: string) => {
    const whole = readPieces([text], { closer });
    expect(readPieces(characters(text), { closer })).toEqual(whole);
    return whole;
  };

  it.each([
    ['{"a":1', '{"a":1}', 1],
    ['{"a":[1,{"b":"c"', '{"a":[1,{"b":"c"}]}', 3],
    ['[1', '[1]', 1],
    ['[', '[]', 1],
    ['{', '{}', 1],
  ])('behind %j closes what is open', (text, json, missing) => {
    const reading = read(`${text} </x>`);
    expect(reading).toMatchObject({ json, done: true, failures: [], end: text.length + 1 });
    expect(reading.repairs).toEqual(Array(missing).fill({ code: 'missing-bracket', at: text.length + 1 }));
  });

  it('behind a comma closes too, and the comma is one too many', () => {
    const { json, repairs } = read('{"a":1,</x>');
    expect(json).toBe('{"a":1}');
    expect(repairs.map(({ code }) => code)).toEqual(['trailing-comma', 'missing-bracket']);
  });

  it.each(['', '{"a"', '{"a":', '{"a":{"b":'])('behind %j ends nothing: the value is incomplete', (text) => {
    const { done, failures } = read(`${text}</x>`);
    expect(done).toBe(false);
    expect(failures.map(({ code }) => code)).toEqual(['unreadable-call']);
  });

  it('is content in a string', () => {
    expect(read('{"a":"</x>","b":"<"}')).toMatchObject({ json: '{"a":"</x>","b":"<"}', repairs: [] });
  });

  it('ends a string right behind its quote', () => {
    expect(read('["a"</x>')).toMatchObject({ json: '["a"]', done: true });
  });

  it('ends the damage in a string whose quotes went wrong', () => {
    const { done, failures } = read('{"a":"b"c</x>');
    expect(done).toBe(false);
    expect(failures).toHaveLength(1);
  });
});

describe('skipTo', () => {
  it('gives up on a value, and the values behind it are read', () => {
    const text = '[{"a":@ "}]" [{}]},{"b":2}]';
    const { failures, stops, done, end } = readPieces([text], { watch: 1, skipTo: 1 });
    expect(failures.map(({ code }) => code)).toEqual(['unreadable-call']);
    expect(done).toBe(true);
    expect(end).toBe(text.length);
    expect(stops.map(({ type, depth, at }) => [type, depth, text.slice(0, at)])).toEqual([
      ['begin', 0, ''],
      ['begin', 1, '['],
      ['end', 1, '[{"a":@ "}]" [{}]}'],
      ['begin', 1, '[{"a":@ "}]" [{}]},'],
      ['end', 1, '[{"a":@ "}]" [{}]},{"b":2}'],
      ['end', 0, text],
    ]);
  });

  it('stops at the closer, wherever it stands but in a string', () => {
    const closer = (text: string, at: number) => (text.startsWith('</x>', at) ? 4 : 0);
    const text = '[{"a":@ "</x>" </x>';
    const reading = readPieces([text], { closer, watch: 1, skipTo: 1 });
    expect(reading).toMatchObject({ done: true, end: text.length - 4 });
  });

  it('is over when the text is, without a value', () => {
    expect(readPieces(['[@ {"'], { watch: 0, skipTo: 0 })).toMatchObject({ done: false, end: 5 });
  });
});

describe('the limits', () => {
  it('of depth: a value at the limit is read, one deeper is too deep', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.boolean(), { minLength: 1 }),
        (maxDepth, kinds) => {
          const isList = (n: number) => kinds[n % kinds.length] as boolean;
          const nest = (depth: number) => {
            let [open, close] = ['', ''];
            for (let n = 0; n < depth; n++) {
              open += isList(n) ? '[' : n === depth - 1 ? '{' : '{"a":';
              close = (isList(n) ? ']' : '}') + close;
            }
            return open + close;
          };
          expect(readJson(nest(maxDepth), { maxDepth })).toEqual({
            json: nest(maxDepth),
            repairs: [],
            duplicates: [],
          });
          const { failures, done } = readPieces(characters(nest(maxDepth + 1)), { maxDepth });
          expect(failures.map(({ code }) => code)).toEqual(['too-deep']);
          expect(done).toBe(false);
        },
      ),
    );
  });

  it('of depth is 128 unless told', () => {
    expect(readJson('['.repeat(128) + ']'.repeat(128))).toBeDefined();
    expect(readJson('['.repeat(129) + ']'.repeat(129))).toBeUndefined();
  });

  it('of members counts keys and elements over the whole value', () => {
    const codes = (text: string) => readPieces([text], { maxMembers: 3 }).failures.map(({ code }) => code);
    expect(codes('{"a":[1,2]}')).toEqual([]);
    expect(codes('{"a":[1,2],"b":3}')).toEqual(['too-long']);
    expect(codes('[1,2,3,4]')).toEqual(['too-long']);
    expect(codes('[[],[],[]]')).toEqual([]);
    expect(codes('{a:1,b:2,c:3,d:4}')).toEqual(['too-long']);
  });

  it('of words: a number that does not end is refused while it is read', () => {
    const { failures, end } = readPieces(cut('7'.repeat(100_000), [100]));
    expect(failures.map(({ code }) => code)).toEqual(['too-long']);
    expect(end).toBeLessThan(5000);
  });
});

describe('a hint of the schema', () => {
  const number: ValueHint = {
    scalar: (text) => (/^[0-9]+$/.test(text) ? text : undefined),
    property: () => undefined,
    item: () => undefined,
  };
  const root: ValueHint = {
    property: (key) => (key === 'n' ? number : key === 'list' ? list : undefined),
    item: () => undefined,
  };
  const list: ValueHint = { property: () => undefined, item: () => number };

  it('turns a string into the scalar it stands for, where the schema wants one', () => {
    const text = '{"n":"5","list":["6","x",7],"s":"8","o":{"n":"9"}}';
    const reading = readPieces(characters(text), { hint: root });
    expect(reading.json).toBe('{"n":5,"list":[6,"x",7],"s":"8","o":{"n":"9"}}');
    expect(reading.repairs.map(({ code }) => code)).toEqual(['string-as-scalar', 'string-as-scalar']);
    expect(reading).toEqual(readPieces([text], { hint: root }));
  });

  it('is asked with the text, its escapes read', () => {
    expect(readPieces(['{"n":"\\u0035"}'], { hint: root }).json).toBe('{"n":5}');
  });

  it('holds such a string until it is whole', () => {
    const reader = new JsonReader();
    reader.watch = -1;
    reader.hint = root;
    reader.read('{"n":"12', 0, false);
    expect(reader.out).toBe('{"n":');
  });
});
