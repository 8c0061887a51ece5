import { UsageError } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { CommandError } from './command-error.js';
import { EXIT } from './exit-codes.js';
import { failureOf } from './failure.js';

describe('a failure', () => {
  it('has the code its error names', () => {
    expect(failureOf(new CommandError('no'))).toEqual({ text: 'no', code: EXIT.usage });
    expect(failureOf(new CommandError('no', EXIT.upstream)).code).toBe(EXIT.upstream);
  });

  it('of the core is about the input or about the call', () => {
    expect(failureOf(new UsageError('bad-tools', 'no list', 'tools'))).toEqual({
      text: 'tools: no list',
      code: EXIT.input,
    });
    expect(failureOf(new UsageError('hostile-text', 'a marker')).code).toBe(EXIT.input);
    expect(failureOf(new UsageError('bad-options', 'no such limit')).code).toBe(EXIT.usage);
  });

  it('that is nobody’s fault but ours keeps its stack', () => {
    const { text, code } = failureOf(new RangeError('broken'));
    expect(code).toBe(EXIT.internal);
    expect(text).toMatch(/RangeError: broken\n +at /);
    expect(failureOf('thrown')).toEqual({ text: 'thrown', code: EXIT.internal });
  });

  it('lets no text from outside act on the terminal', () => {
    expect(failureOf(new CommandError('no \u001b[2J')).text).toBe('no ␛[2J');
  });
});
