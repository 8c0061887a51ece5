import { expect, test } from 'vitest';
import { growthOf } from '../../../../test/cost.js';
import { type ArgumentRules, ArgumentStream } from './argument-stream.js';

const LIMITS = { maxDepth: 20, maxMembers: 1000 };
const python: ArgumentRules = { style: 'python', ...LIMITS, names: ['city', 'days'] };

interface Read {
  json: string;
  rest: string;
  repairs: string[];
  failure: string | undefined;
}

function read(pieces: readonly string[], rules: ArgumentRules): Read {
  const stream = new ArgumentStream(rules);
  let json = '';
  let window = '';
  for (const [at, piece] of pieces.entries()) {
    window += piece;
    const end = stream.read(window, 0, at === pieces.length - 1);
    json += stream.take();
    window = window.slice(end);
  }
  const repairs = stream.repairs.map(({ code, at }) => `${code}@${at}`);
  return { json, rest: window, repairs, failure: stream.failure?.code };
}

test('a long string in small pieces takes linear time', () => {
  const piecewise = (count: number) => {
    const pieces = `(a="${'it\\"s '.repeat(count)}")`.match(/.{1,4}/g) ?? [];
    return () => expect(read(pieces, python).failure).toBeUndefined();
  };
  expect(growthOf(piecewise(80_000), piecewise(10_000), 2.5)).toBeLessThan(2.5);
});
