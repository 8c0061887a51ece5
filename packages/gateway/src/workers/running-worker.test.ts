import cluster from 'node:cluster';
import { availableParallelism, totalmem } from 'node:os';
import { afterEach, expect, it, vi } from 'vitest';
import { setUpWorkers } from './running-worker.js';

vi.mock('node:os', async (actual) => {
  const os = await actual<typeof import('node:os')>();
  return { ...os, totalmem: vi.fn(os.totalmem) };
});

const given = process.execArgv;
afterEach(() => {
  process.execArgv = given;
  vi.restoreAllMocks();
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

it.each([
  [0, 16],
  [1, 64],
  [100, 64],
])('takes memory for new values only where there is enough: %i GB a worker', (gigabytes, most) => {
  const workers = availableParallelism();
  const limit = Math.max(1, gigabytes * 1024 ** 3 * workers);
  vi.spyOn(process, 'constrainedMemory').mockReturnValue(limit);
  vi.mocked(totalmem).mockReturnValue(1024 ** 4);
  setUpWorkers(workers);
  expect(cluster.settings.execArgv).toContain(`--max-semi-space-size=${most}`);
});
