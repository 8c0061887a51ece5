import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readLink, writeLink } from './link.js';

it('carries any state there and back', async () => {
  const state = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)));
  await fc.assert(
    fc.asyncProperty(state, async (value) => {
      expect(await readLink(await writeLink({ view: 'write', state: value }))).toEqual({
        view: 'write',
        state: value,
      });
    }),
    { seed: 6, numRuns: 60 },
  );
});

it('needs no state', async () => {
  expect(await writeLink({ view: 'try' })).toBe('#try');
  expect(await readLink('#try')).toEqual({ view: 'try' });
});

it('holds only characters that every address may have', async () => {
  const link = await writeLink({ view: 'read', state: { text: '<｜DSML｜>?&#=+/ \n😀'.repeat(50) } });
  expect(link).toMatch(/^#read=[A-Za-z0-9_-]+$/);
});

it('is short where the text repeats itself', async () => {
  const text = 'the same words again and again, '.repeat(30_000);
  expect((await writeLink({ view: 'read', state: { text } })).length).toBeLessThan(10_000);
});

it('goes without a state that is too long for an address', async () => {
  let text = '';
  for (let n = 1, seed = 7; n < 400_000; n++) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    text += seed.toString(36);
  }
  expect(await writeLink({ view: 'read', state: { text } })).toBe('#read');
});

it('opens the first view where it cannot be read', async () => {
  for (const fragment of ['', '#', '#nowhere', '#constructor'])
    expect(await readLink(fragment)).toEqual({ view: 'read' });
});

it('reports a state that cannot be read', async () => {
  expect(await readLink('#=')).toEqual({ view: 'read', broken: true });
  expect(await readLink('#write=%%%')).toEqual({ view: 'write', broken: true });
  expect(await readLink('#write=AAAA')).toEqual({ view: 'write', broken: true });
});

it('is not unfolded to more than a page can hold', async () => {
  const bomb = await writeLink({ view: 'read', state: ' '.repeat(40 * 1024 * 1024) });
  expect(bomb.length).toBeLessThan(100_000);
  expect(await readLink(bomb)).toEqual({ view: 'read', broken: true });
});
