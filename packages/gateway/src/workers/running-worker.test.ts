import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { afterEach, expect, it } from 'vitest';
import { setUpWorkers } from './running-worker.js';

const given = process.execArgv;
afterEach(() => {
  process.execArgv = given;
});

it('lets flags of the operator win over its own', () => {
  process.execArgv = ['--min-semi-space-size=64', '--no-single-threaded-gc'];
  setUpWorkers(availableParallelism());
  const { execArgv = [] } = cluster.settings;
  expect(execArgv.slice(-2)).toEqual(process.execArgv);
  expect(execArgv).toContain('--single-threaded-gc');
});

it('adds none where cores are left', () => {
  process.execArgv = ['--no-warnings'];
  setUpWorkers(availableParallelism() - 1);
  expect(cluster.settings.execArgv).toEqual(['--no-warnings']);
});
