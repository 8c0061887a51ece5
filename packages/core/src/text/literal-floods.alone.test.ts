// Law 5 for the readers of literals: any text ends in a result, in linear time.

import { describe, expect, it } from 'vitest';
import { growthOf } from '../../../../test/cost.js';
import { readJavaScriptCall } from './javascript-call.js';
import { readPythonLiteral } from './python-literal.js';

const tokens = [
  ...['\n', '\r', '\u2028', ' ', '\0', '\ufeff', '\ud83d', '\udc00', '`', '\\', '$', '"""'],
  ...`{ } [ ] ( ) , : ; . ... + - " ' / // /* */ # _ 0x 0 1 9 e n u x r b N{ f( => a é 😀`.split(' '),
  ...'True null await get __proto__'.split(' '),
];
/** Plain seeded numbers, not fast-check: a hundred thousand soups in a second, the same ones each time. */
function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** Where a reader throws, points outside of the text, or gives what is not JSON. */
function faultsOf(text: string): string[] {
  try {
    for (const result of [readJavaScriptCall(text), readPythonLiteral(text)]) {
      if (result.ok) JSON.parse('args' in result ? `[${result.args}]` : result.json);
      else if (result.at > text.length) throw new Error('the error is outside of the text');
    }
    return [];
  } catch (error) {
    return [`${JSON.stringify(text)}: ${error}`];
  }
}

describe('any text', () => {
  it('ends in a result and not in a throw', () => {
    const failures: string[] = [];
    const dice = createDice(1);
    const pick = () => tokens[dice(tokens.length)] ?? '';
    for (let count = 0; count < 100_000; count += 1) {
      const soup = ['', 'f(', 'f({a:'][count % 3] + Array.from({ length: dice(24) }, pick).join('');
      failures.push(...faultsOf(soup));
    }
    expect(failures).toEqual([]);
  });
});

/** How many times longer twice the text takes. */
function growth(read: (text: string) => unknown, flood: (count: number) => string): number {
  const [small, large] = [flood(10_000), flood(80_000)];
  return growthOf(
    () => read(large),
    () => read(small),
    2.5,
  );
}

type Flood = [name: string, write: (count: number) => string];

const pieces = [...`{ [ ( " ' \\ /* */ {a: [1, "\\ "+ - _ 1_`.split(' '), '`', '//\n', '#\n', '"\n'];
const floods: Flood[] = [
  ...pieces.map((piece): Flood => [piece, (count) => piece.repeat(count)]),
  ['a string', (count) => `"${'x'.repeat(count)}"`],
  ['escapes', (count) => `"${'\\n\\u0041'.repeat(count)}"`],
  ['line breaks in quotes', (count) => `"${'\n'.repeat(count)}"`],
  ['strings', (count) => `[${'"a",'.repeat(count)}]`],
  ['joined strings', (count) => `"a"${' + "a"'.repeat(count)}`],
  ['strings side by side', (count) => `"a"${' "a"'.repeat(count)}`],
  ['keys', (count) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1,`).join('')}}`],
  ['digits', (count) => '7'.repeat(count)],
  ['hex digits', (count) => `[${`0x${'f'.repeat(1000)},`.repeat(count / 1000)}]`],
  ['comments', (count) => `[1${'/**/\n'.repeat(count)}]`],
  ['missing commas', (count) => `[${'1\n'.repeat(count)}]`],
  ['depth around a string', (count) => `${'['.repeat(127)}"${'x'.repeat(count)}"${']'.repeat(127)}`],
  ['parentheses around a string', (count) => `${'('.repeat(127)}"${'x'.repeat(count)}"${')'.repeat(127)}`],
];

describe('time grows no faster than the text', () => {
  it.each(floods)('in a call: %j', (_, flood) => {
    expect(growth((text) => readJavaScriptCall(`f(${text})`), flood)).toBeLessThan(2.5);
  });

  it.each(floods)('in a literal of Python: %j', (_, flood) => {
    expect(growth((text) => readPythonLiteral(text), flood)).toBeLessThan(2.5);
  });
});
