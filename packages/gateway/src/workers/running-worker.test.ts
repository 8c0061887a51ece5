import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { afterEach, expect, it, vi } from 'vitest';
import { flagsFor, setUpWorkers } from './running-worker.js';

const given = process.execArgv;
afterEach(() => {
  process.execArgv = given;
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
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

const TIGHT = ['--single-threaded-gc', '--min-semi-space-size=16'];
const ROOMY = ['--single-threaded-gc', '--min-semi-space-size=32', '--max-semi-space-size=64'];

it.each([
  { machine: 64, limit: 0, flags: ROOMY },
  { machine: 1, limit: 0, flags: ROOMY },
  { machine: 0.9, limit: 0, flags: TIGHT },
  { machine: 64, limit: 0.5, flags: TIGHT },
  { machine: 64, limit: 1, flags: ROOMY },
  { machine: 64, limit: 0, heap: 0.5, flags: TIGHT },
])('takes memory for new values where each worker has a gigabyte: %o', ({ machine, limit, heap, flags }) => {
  const workers = availableParallelism();
  vi.spyOn(process, 'constrainedMemory').mockReturnValue(limit * 1024 ** 3 * workers);
  expect(flagsFor(workers, machine * 1024 ** 3 * workers, (heap ?? 4) * 1024 ** 3)).toEqual(flags);
});

it('leaves it to the operator who says it in NODE_OPTIONS', () => {
  vi.stubEnv('NODE_OPTIONS', '--max_semi_space_size=8');
  expect(flagsFor(availableParallelism())).toEqual(['--single-threaded-gc']);
});
