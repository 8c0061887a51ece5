import fc from 'fast-check';
import { expect, it } from 'vitest';
import { diffLines } from './diff-lines.js';

const signs = { same: ' ', removed: '-', added: '+', gap: '…' };
const shown = (old: string, now: string) =>
  diffLines(old.split(' '), now.split(' ')).map(({ kind, line }) => signs[kind] + line);

it('keeps lines that both have, and shows three around a change', () => {
  expect(shown('model= a b', 'model+ provider a b table')).toEqual([
    '-model=',
    '+model+',
    '+provider',
    ' a',
    ' b',
    '+table',
  ]);
  expect(shown('1 2 3 4 5 6 7 8 9 x', '1 2 3 4 5 6 7 8 9 y')).toEqual([' 7', ' 8', ' 9', '-x', '+y']);
  expect(shown('x 1 2 3 4 5 6 7 8 y', 'X 1 2 3 4 5 6 7 8 Y')).toEqual([
    '-x',
    '+X',
    ' 1',
    ' 2',
    ' 3',
    '…',
    ' 6',
    ' 7',
    ' 8',
    '-y',
    '+Y',
  ]);
});

const texts = fc.array(fc.constantFrom('a', 'b', 'c', '{', '}'), { maxLength: 12 });

it('has each removed line of the old text and each added one of the new, in order', () => {
  fc.assert(
    fc.property(texts, texts, (old, now) => {
      const lines = diffLines(old, now);
      const only = (kind: string) => lines.filter((one) => one.kind === kind).map(({ line }) => line);
      const counts = (some: readonly string[]) => some.toSorted().join('');
      const rest = (whole: readonly string[], taken: readonly string[]) => {
        const left = [...whole];
        for (const line of taken) left.splice(left.indexOf(line), 1);
        return counts(left);
      };
      expect(rest(old, only('removed'))).toBe(rest(now, only('added')));
      if (counts(old) === '' || counts(now) === '') expect(only('same')).toEqual([]);
    }),
    { seed: 22, numRuns: 300 },
  );
});

it('is quick for long files', () => {
  const old = Array.from({ length: 60_000 }, (_, at) => `old ${at}`);
  const now = Array.from({ length: 60_000 }, (_, at) => `new ${at}`);
  expect(diffLines(old, now)).toHaveLength(120_000);
});
