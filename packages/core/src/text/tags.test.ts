import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSpace, NO, NOT_YET, spaceEnd } from './characters.js';
import { isNameChar, readAttributes } from './tags.js';

/** Name and value of each attribute, and what stands behind them. */
function read(text: string): unknown {
  const scan = readAttributes(text, 0, true);
  if (typeof scan === 'number') return scan;
  return [...scan.attributes.map(({ name, value }) => [name, value]), text.slice(scan.at)];
}

describe('attributes', () => {
  it.each([
    ['>', ['>']],
    [' >', ['>']],
    [' a="x">', [['a', 'x'], '>']],
    [` a='x'>`, [['a', 'x'], '>']],
    [' a=x>', [['a', 'x'], '>']],
    [' a="x" b=5 c=true #>', [['a', 'x'], ['b', '5'], ['c', 'true'], '#>']],
    ['a="x"b="y"/>', [['a', 'x'], ['b', 'y'], '/>']],
    ['\n a = "x"\t\r\n>', [['a', 'x'], '>']],
    [' a="x > y </b> \' z">', [['a', `x > y </b> ' z`], '>']],
    [` a='say "hi"'>`, [['a', 'say "hi"'], '>']],
    [' a="">', [['a', ''], '>']],
    [' a="x" a="y">', [['a', 'x'], ['a', 'y'], '>']],
    [' data-x.y:z_1="v">', [['data-x.y:z_1', 'v'], '>']],
    [' 名="北京">', [['名', '北京'], '>']],
    [' a=x/>', [['a', 'x'], '/>']],
    ['｜>', ['｜>']],
  ])('of %j are %j', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    ['\\n', '\n'],
    ['\\t', '\t'],
    ['\\"', '"'],
    ["\\'", "'"],
    ['\\\\', '\\'],
    ['\\\\n', '\\n'],
    ['\\d', '\\d'],
    ['\\u0041', '\\u0041'],
    ['a\\\\', 'a\\'],
  ])('between quotes %j is %j', (written, value) => {
    expect(read(` a="${written}">`)).toEqual([['a', value], '>']);
    expect(read(` a='${written}'>`)).toEqual([['a', value], '>']);
  });

  it('have no escapes where they have no quotes', () => {
    expect(read(' a=\\n>')).toEqual([['a', '\\n'], '>']);
  });

  it.each([' a>', ' a', ' a=', ' a=>', ' a="x', ' a=x', '', ' a= "x" b>', ' a=<'])(
    'of %j are none: nothing more will come',
    (text) => {
      expect(readAttributes(text, 0, true)).toBe(NO);
    },
  );

  it.each(['', ' ', ' a', ' a ', ' a=', ' a= ', ' a="x', ' a="x\\', ' a="x\\"', ' a=x', ' a="x"', ' a="x" '])(
    'of %j are not known yet',
    (text) => {
      expect(readAttributes(text, 0, false)).toBe(NOT_YET);
    },
  );

  it('say where their values stand', () => {
    const text = `<f a="x\\"y" b='z' c=5>`;
    const scan = readAttributes(text, 2, true);
    if (typeof scan === 'number') throw new Error('no attributes');
    expect(scan.attributes.map(({ start, end, quoted }) => [text.slice(start, end), quoted])).toEqual([
      ['x\\"y', true],
      ['z', true],
      ['5', false],
    ]);
    expect(text.slice(scan.at)).toBe('>');
  });

  it('that go on for more than a thousand characters are none, and that is known without their end', () => {
    for (const [before, after] of [
      [' a="', '">'],
      [' a=', '>'],
      [' ', '>'],
      [' a="x"', '>'],
      ...[' ', '\\"'].map((filler) => [` a="${filler.repeat(2000)}`, '">'] as const),
    ] as const) {
      const filler = before.endsWith('"') && before.length > 5 ? ' ' : before === ' ' ? ' ' : 'x';
      expect(readAttributes(before + filler.repeat(1100) + after, 0, true)).toBe(NO);
      expect(readAttributes(before + filler.repeat(1100), 0, false)).toBe(NO);
    }
  });

  const pieces = [
    ' ',
    'a',
    'b',
    '=',
    '"',
    "'",
    '\\',
    '>',
    '/',
    '<',
    '5',
    '\n',
    ' a="x"',
    ` b='y'`,
    '｜',
    'é',
  ];
  const soup = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.constant('x'.repeat(150))), {
    maxLength: 14,
  });

  it('are the same in any cutting: what is said before the text has ended holds', () => {
    fc.assert(
      fc.property(soup, (parts) => {
        const text = parts.join('');
        const whole = readAttributes(text, 0, true);
        for (let length = 0; length <= text.length; length++) {
          const early = readAttributes(text.slice(0, length), 0, false);
          if (early !== NOT_YET) expect(early).toEqual(whole);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('are what was written, for any names and values', () => {
    const name = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,8}$/);
    const value = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('\\', ''));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 5 }), (list) => {
        const text = list.map(([key, text]) => ` ${key}="${text.replaceAll('"', '\\"')}"`).join('');
        expect(read(`${text}>`)).toEqual([...list, '>']);
      }),
    );
  });
});

describe('characters of tags', () => {
  it('skipSpace stops at the first character that is no space', () => {
    expect(spaceEnd(' \t\r\n x', 0)).toBe(5);
    expect(spaceEnd('x', 0)).toBe(0);
    expect(spaceEnd('  ', 0)).toBe(2);
  });

  it('a space is no part of a name, and neither are bars', () => {
    for (let code = 0; code < 0x10000; code++) if (isSpace(code)) expect(isNameChar(code)).toBe(false);
    for (const bar of '｜|‖<>="\'/#`\u3000\u00a0') expect(isNameChar(bar.charCodeAt(0)), bar).toBe(false);
    for (const letter of 'azAZ09_-.:é北') expect(isNameChar(letter.charCodeAt(0)), letter).toBe(true);
  });
});
