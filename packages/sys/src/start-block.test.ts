import { expect, it, vi } from 'vitest';
import { hide, withoutKeys } from './start-block.js';
import { sysBuiltIn } from './sys-built-in.js';

// As in a worker thread, whose environment cannot be hidden.
vi.mock('node:worker_threads', () => ({ isMainThread: false }));

it('says so where the block in memory is not the one that is shown', () => {
  const fields = Array(60).fill('0');
  const bytes = Buffer.from('node\0--key\0secret\0');
  const untouched = () => {
    throw new Error('it was written');
  };
  expect(hide(fields, 'arguments', bytes, untouched)).toBe(false);
  fields[45] = '4096';
  fields[46] = String(4096 + bytes.length + 1);
  expect(hide(fields, 'arguments', bytes, untouched)).toBe(false);
});

it('tells the caller that keys are in sight', () => {
  const onKeysInSight = vi.fn();
  sysBuiltIn({ folder: '.', onKeysInSight });
  expect(onKeysInSight).toHaveBeenCalledOnce();
});

it('hides a key that begins with a dash, and no option behind an option', () => {
  const hidden = (...given: string[]) => withoutKeys(given.map((text) => Buffer.from(text))).map(String);
  expect(hidden('--key', '-abc', 'x')).toEqual(['--key', '****', 'x']);
  expect(hidden('--key', '--token', 'abc')).toEqual(['--key', '--token', '***']);
});
