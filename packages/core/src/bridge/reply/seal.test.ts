import { describe, expect, it } from 'vitest';
import { createSeal } from './seal.js';

describe('a seal', () => {
  it.each(['', 'I think.', '思考 \ud83d\ude80', 'long '.repeat(50_000)])(
    'opens what it closed',
    async (text) => {
      const seal = createSeal();
      const sealed = await seal.close(text);
      expect(seal.isOwn(sealed)).toBe(true);
      expect(await seal.open(sealed)).toBe(text);
    },
  );

  it('shows nothing of the text, and is another each time', async () => {
    const seal = createSeal();
    const text = 'secret thought '.repeat(100);
    const [one, other] = [await seal.close(text), await seal.close(text)];
    expect(one).not.toBe(other);
    expect(atob(one.slice(one.indexOf('.') + 1))).not.toContain('secret');
  });

  it('is opened by the same secret, in any process, and by no other', async () => {
    const sealed = await createSeal('sixteen letters.').close('I think.');
    expect(await createSeal('sixteen letters.').open(sealed)).toBe('I think.');
    expect(await createSeal('another sixteen.').open(sealed)).toBeUndefined();
    expect(await createSeal().open(sealed)).toBeUndefined();
  });

  it('opens nothing that was changed, cut or made up, and never throws', async () => {
    const seal = createSeal();
    const sealed = await seal.close('I think.');
    const places = [10, 20, 30, sealed.length - 2];
    const changed = places.map(
      (at) => sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1),
    );
    const made = ['', 'gAAAAAB', 'dragoman1.', 'dragoman1.%%%', 'dragoman1.AAAA', sealed.slice(0, -8)];
    for (const one of [...changed, ...made]) expect(await seal.open(one)).toBeUndefined();
    expect(seal.isOwn('gAAAAAB')).toBe(false);
  });
});
