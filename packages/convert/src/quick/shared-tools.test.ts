// Rows that define the same tools share them, and nobody can change what is shared.

import { acceptTools, type ExactValue, stringifyJson } from '@dragoman/core/internal';
import { describe, expect, it } from 'vitest';
import { readTools } from '../forms/tools.js';
import { writeJson } from './plain-json.js';
import { shareTools } from './shared-tools.js';

const define = (name: string, more: object = {}): ExactValue => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: { q: { type: 'string' } } }, ...more },
});
const read = (...tools: ExactValue[]) => readTools(tools, 'tools').tools;

describe('tools of two rows', () => {
  it('are one where their definitions are the same to the letter, and say the same', () => {
    const [mine] = shareTools(read(define('f')));
    const [yours] = shareTools(read(define('f')));
    expect(mine).toBe(yours);
    expect(mine).toEqual(read(define('f'))[0]);
    expect(shareTools(read(define('f', { description: 'd' })))[0]).not.toBe(mine);
  });

  it('cannot be changed, while those that the caller gave can', () => {
    const given = read(define('f'));
    const [shared] = shareTools(given);
    expect(() => Object.assign(shared?.parameters as object, { type: 'array' })).toThrow(TypeError);
    expect(Object.isFrozen(given[0])).toBe(false);
  });

  it('are accepted and written as those that nobody shares', () => {
    const given = read(define('f'), define('g', { description: 'say "<" and \ud83d' }));
    const shared = shareTools(given);
    expect(acceptTools(shared)).toEqual(acceptTools(given));
    const row = (tools: typeof given) => ({
      a: 1,
      tools: tools.map(({ source }) => source as ExactValue),
      b: [],
    });
    expect(writeJson(row(shared))).toBe(JSON.stringify(row(given)));
    for (const [at, { source }] of shared.entries())
      expect(stringifyJson(source as ExactValue, 'python')).toBe(
        stringifyJson(given[at]?.source as ExactValue, 'python'),
      );
  });

  it('stay as they are where they say more than their definition, or are refused by name', () => {
    const [strict] = read(define('f', { strict: true }));
    expect(shareTools(strict ? [strict] : [])[0]).toBe(strict);
    expect(() => acceptTools(shareTools(read(define('no name'))))).toThrow('a name of');
  });
});
