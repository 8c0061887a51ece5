import fc from 'fast-check';
import { jsonrepair } from 'jsonrepair';
import { describe, expect, it } from 'vitest';
import { readJson } from './json.js';

// ---------------------------------------------------------------- jsonrepair as an oracle

/** Well-formed JSON with an object around it, in one of three layouts. */
const layout = fc.constantFrom('', ' ', '\n  ');
const word = fc.constantFrom('a', 'city', 'it is', 'x y', '10', '', 'a, b', '[x]', '{y}', 'k: v', '北京');
const plainJson: fc.Arbitrary<string> = fc
  .tuple(
    layout,
    fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.oneof(
          word.map((text) => JSON.stringify(text)),
          fc.constantFrom('1', '-2.50', '1e5', 'true', 'false', 'null'),
        ),
        tie('object'),
        tie('array'),
      ),
      object: fc
        .array(tie('value'), { maxLength: 3 })
        .map((values) => `{${values.map((value, n) => `~"key${n}":~${value}`).join(',')}~}`),
      array: fc.array(tie('value'), { maxLength: 3 }).map((values) => `[${values.map((v) => `~${v}`)}~]`),
    })).object,
  )
  .map(([space, text]) => `{"k":${text},"l":${text}}`.replaceAll('~', space));

/** Spoils some places of a text: those where the pattern matches and the dice say so. */
function spoil(
  text: string,
  pattern: RegExp,
  dice: readonly boolean[],
  by: (found: string) => string,
): string {
  let n = 0;
  return text.replaceAll(pattern, (found) => (dice[n++ % dice.length] ? by(found) : found));
}

const mutations: [name: string, mutate: (text: string, dice: readonly boolean[]) => string][] = [
  ['trailing commas', (text, dice) => spoil(text, /(?<=[^[{\s])\s*[\]}]/g, dice, (found) => `,${found}`)],
  ['comments', (text, dice) => spoil(text, /[,:[{]/g, dice, (found) => `${found}/* c */`)],
  ['comments to the line’s end', (text, dice) => spoil(text, /[,:[{]/g, dice, (found) => `${found}// c\n`)],
  ['single quotes', (text) => text.replaceAll('"', "'")],
  ['keys without quotes', (text, dice) => spoil(text, /"\w+":/g, dice, (found) => found.replaceAll('"', ''))],
  [
    'words of Python',
    (text, dice) => spoil(text, /true|false|null/g, dice, (found) => PYTHON[found] ?? found),
  ],
  ['raw line breaks', (text, dice) => spoil(text, /(?<=it|x) (?=is|y)/g, dice, () => '\n')],
  ['members without commas', (text, dice) => spoil(text, /,(?=\s*"key)/g, dice, () => ' ')],
  ['quotes not escaped', (text, dice) => spoil(text, /(?<=it |x |[京i])(?=is|y|t)/g, dice, () => '"')],
];
const PYTHON: Record<string, string> = { true: 'True', false: 'False', null: 'None' };

/** The same text as both read it: undefined where one refuses. */
function bothRead(text: string): { ours: unknown; theirs: unknown } {
  const read = readJson(text);
  let theirs: unknown;
  try {
    theirs = JSON.parse(jsonrepair(text));
  } catch {
    theirs = undefined;
  }
  return { ours: read && JSON.parse(read.json), theirs };
}

describe('next to jsonrepair', () => {
  it.each(mutations)('%s are read alike', (_, mutate) => {
    const dice = fc.array(fc.boolean(), { minLength: 1, maxLength: 7 });
    let both = 0;
    fc.assert(
      fc.property(plainJson, dice, (json, thrown) => {
        const text = mutate(json, thrown);
        const { ours, theirs } = bothRead(text);
        if (theirs === undefined || ours === undefined) return;
        both++;
        expect(ours, text).toEqual(theirs);
      }),
      { numRuns: 500 },
    );
    // Nearly all of them: the oracle was asked.
    expect(both).toBeGreaterThan(450);
  });

  const refused = undefined;
  it.each([
    [
      'a value that was cut is no value: it must not be run',
      '{"a":"rm -rf /tm',
      refused,
      { a: 'rm -rf /tm' },
    ],
    ['brackets missing at the end are for the dialect’s closer', '{"a":[1', refused, { a: [1] }],
    ['a key without a value is not null', '{"a":}', refused, { a: null }],
    ['bare words are no strings', '{"a":[yes]}', refused, { a: ['yes'] }],
    ['`undefined` is no null', '[undefined]', refused, [null]],
    ['two values are no list', '"a", "b"', refused, ['a', 'b']],
    ['brackets behind the value are not its own', '{"a":1}}', refused, { a: 1 }],
    ['a doubled comma ends no list', '{"a":[[1,,2]]}', { a: [[1, 2]] }, { a: [[1], 2] }],
    ['an apostrophe stays one', `{'a':'it's'}`, { a: "it's" }, { a: 'it"s' }],
    ['a quote behind a comma may be inside', '{"a":"say "x", you"}', { a: 'say "x", you' }, refused],
    ['raw control characters are read', '["a\u0001"]', ['a\u0001'], refused],
    ['hex and underscores are numbers', '[0x10,1_0]', [16, 10], ['0x10', '1_0']],
    ['an escape that is none is a backslash', '["\\u12"]', ['\\u12'], refused],
    ['strings side by side without a space are one', '["a""b"]', ['a""b'], ['a', 'b']],
  ])('on purpose, %s: %s', (_, text, ours, theirs) => {
    expect(bothRead(text)).toEqual({ ours, theirs });
  });
});
