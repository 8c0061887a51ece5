// The dialects that every test run measures: those that the limits were set for, and one of each family of
// declarations, whose arguments must cost as little at their end as at their start, but may cost more in all (see the
// limits in the README). All of them take minutes: `npm run bench` has the time.

import { type Dialect, findDialect } from '@dragoman/core';

/** The ten the project began with: the limits hold for them. */
export const limited: readonly Dialect[] = [
  'alkaid',
  'xnl',
  'glm-4.5',
  'glm-4.7',
  'deepseek-v3.1',
  'deepseek-v3.2',
  'deepseek-v4',
  'deepseek-v4.1',
  'hermes',
  'qwen3-coder',
].map(findDialect);

const ofTheField = ['command-a', 'kimi-k2', 'minimax-m2', 'lfm2', 'bare-json'].map(findDialect);

export const probed: readonly Dialect[] = [...limited, ...ofTheField];
