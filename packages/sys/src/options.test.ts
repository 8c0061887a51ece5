import process from 'node:process';
import { afterEach, describe, expect, it } from 'vitest';
import { toSettings } from './options.js';

describe('the options', () => {
  afterEach(() => {
    delete process.env.DRAGOMAN_TEST_API_KEY;
    delete process.env.LC_DRAGOMAN;
  });

  it('pass on no more of the environment than a command needs', () => {
    process.env.DRAGOMAN_TEST_API_KEY = 'canary';
    process.env.LC_DRAGOMAN = 'C';
    const { env } = toSettings({ folder: '.' });
    expect(env.PATH).toBe(process.env.PATH);
    expect(env.LC_DRAGOMAN).toBe('C');
    expect(Object.values(env)).not.toContain('canary');
    const known = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|TERM|TZ|TMPDIR|LC_.*)$/;
    expect(Object.keys(env).filter((name) => !known.test(name))).toEqual([]);
  });

  it('take another environment whole', () => {
    expect(toSettings({ folder: '.', env: { A: '1', B: undefined } }).env).toEqual({ A: '1' });
  });

  it('have the documented defaults', () => {
    expect(toSettings({ folder: '.' })).toMatchObject({
      timeout: 60_000,
      grace: 2000,
      outputLength: 30_000,
      listLength: 1000,
      namespace: 'SysBuiltIn',
    });
  });

  it('take no limit for the longest there is', () => {
    expect(toSettings({ folder: '.', timeout: Number.POSITIVE_INFINITY }).timeout).toBe(2 ** 31 - 1);
  });

  it('say in clear words that Windows will not do', () => {
    expect(() => toSettings({ folder: '.' }, 'win32')).toThrow('need Linux, macOS or another POSIX system');
  });
});
