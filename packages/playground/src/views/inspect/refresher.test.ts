import { describe, expect, it } from 'vitest';
import { refresher } from './refresher.js';

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('what fetches again', () => {
  it('fetches at once, and once more for everything that was wanted meanwhile', async () => {
    let fetched = 0;
    const { refresh } = refresher(async () => void fetched++, 5);
    refresh();
    expect(fetched).toBe(1);
    for (let n = 0; n < 100; n++) refresh();
    await wait(60);
    expect(fetched).toBe(2);
  });

  it('never fetches twice at once, and not any more when it is stopped', async () => {
    let open = 0;
    let most = 0;
    let fetched = 0;
    const { refresh, stop } = refresher(async () => {
      most = Math.max(most, ++open);
      fetched++;
      await wait(5);
      open--;
      if (fetched === 3) stop();
    }, 1);
    for (let n = 0; n < 40; n++) {
      refresh();
      await wait(3);
    }
    expect([most, fetched]).toEqual([1, 3]);
  });
});
