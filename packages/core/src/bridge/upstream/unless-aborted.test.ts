import { describe, expect, it } from 'vitest';
import { countedSignal } from './counted-signal.fixture.js';
import { unlessAborted } from './on-abort.js';

describe('what is waited for', () => {
  it('comes, or fails, and one listener is enough for all', async () => {
    const { signal, listeners } = countedSignal();
    expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1);
    await expect(unlessAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
    expect(listeners()).toBe(1);
  });

  it('is waited for no longer than the signal lets, and is given to someone if it comes late', async () => {
    const { aborter, signal } = countedSignal();
    let come = (_: number) => {};
    const late: number[] = [];
    const coming = new Promise<number>((resolve) => {
      come = resolve;
    });
    const waited = unlessAborted(coming, signal, (value) => late.push(value));
    aborter.abort(new Error('enough'));
    await expect(waited).rejects.toThrow('enough');
    come(7);
    await new Promise((soon) => setTimeout(soon, 0));
    expect(late).toEqual([7]);
  });

  it('is not waited for at all where the signal was aborted before; that it fails later harms nobody', async () => {
    const failing = new Promise((_, reject) => setTimeout(reject, 1, new Error('later')));
    await expect(unlessAborted(failing, AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
    await new Promise((soon) => setTimeout(soon, 5));
  });
});
