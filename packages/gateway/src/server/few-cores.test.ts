import { afterEach, describe, expect, it, vi } from 'vitest';
import { suitFewCores } from './few-cores.js';

/** The flags that are set on a machine of so many cores. */
function flagsOn(cores: number): string[] {
  const flags: string[] = [];
  suitFewCores(cores, (flag) => void flags.push(flag));
  return flags;
}

const given = process.execArgv;
afterEach(() => {
  process.execArgv = given;
  vi.unstubAllEnvs();
});

describe('young garbage', () => {
  it.each([1, 2])('is collected without helping threads on %i cores', (cores) => {
    expect(flagsOn(cores)).toEqual(['--no-parallel-scavenge']);
  });

  it('is left to V8 where there are more', () => {
    expect(flagsOn(3)).toEqual([]);
  });

  it.each(['--parallel-scavenge', '--no_parallel_scavenge', '--single-threaded'])(
    'is left to an operator who says how: node %s',
    (flag) => {
      process.execArgv = [flag];
      expect(flagsOn(1)).toEqual([]);
    },
  );

  it('is left to an operator who says how in NODE_OPTIONS', () => {
    vi.stubEnv('NODE_OPTIONS', '--single-threaded-gc');
    expect(flagsOn(1)).toEqual([]);
  });
});
