import { describe, expect, it } from 'vitest';
import type { GgufFile } from './gguf/gguf-files.js';
import type { LocalModel } from './local-model.js';
import { ModelShelf, type ShelfOptions } from './model-shelf.js';

const info = { architecture: 'x', templates: {}, specialTokens: [], vocabulary: 0, sampling: {} };
const file = (name: string, size = 10): GgufFile => ({ name, path: `/${name}`, size, info });
const [a, b, c] = [file('a'), file('b'), file('c')];
const settle = () => new Promise((tell) => setImmediate(tell));
const { signal } = new AbortController();

function shelfWith(options: ShelfOptions = {}) {
  const log: string[] = [];
  const load = async ({ name }: GgufFile): Promise<LocalModel> => {
    log.push(`+${name}`);
    await settle();
    const close = async () => void log.push(`-${name}`);
    return { name, contextLength: 1, grammar: false, generate: () => (async function* () {})(), close };
  };
  return { log, shelf: new ModelShelf({ load, memory: 20, ...options }) };
}

describe('a shelf of models', () => {
  it('loads a model with the first request, once', async () => {
    const { shelf, log } = shelfWith();
    expect(log).toEqual([]);
    const leases = await Promise.all([shelf.lease(a, { signal }), shelf.lease(a, { signal })]);
    for (const { release } of leases) release();
    expect(log).toEqual(['+a']);
  });

  it('unloads the one that was unused for longest, when memory is short', async () => {
    const { shelf, log } = shelfWith();
    for (const one of [a, b, a, c]) (await shelf.lease(one, { signal })).release();
    expect(log).toEqual(['+a', '+b', '-b', '+c']);
    expect(shelf.loaded).toEqual(['a', 'c']);
  });

  it('never unloads one that writes an answer: who needs its room waits', async () => {
    const { shelf, log } = shelfWith({ memory: 10 });
    const first = await shelf.lease(a, { signal });
    const waiting = shelf.lease(b, { signal });
    await settle();
    expect(log).toEqual(['+a']);
    first.release();
    (await waiting).release();
    expect(log).toEqual(['+a', '-a', '+b']);
  });

  it('loads one that is larger than its memory alone', async () => {
    const { shelf } = shelfWith();
    await expect(shelf.lease(file('large', 100), { signal })).resolves.toMatchObject({
      model: { name: 'large' },
    });
  });

  it('tries again after a model could not be loaded', async () => {
    let fails = true;
    const load = async ({ name }: GgufFile): Promise<LocalModel> => {
      if (fails) throw new Error('no room');
      return { name } as LocalModel;
    };
    const shelf = new ModelShelf({ load });
    await expect(shelf.lease(a, { signal })).rejects.toThrow('no room');
    fails = false;
    await expect(shelf.lease(a, { signal })).resolves.toMatchObject({ model: { name: 'a' } });
  });

  it('closes what is loaded', async () => {
    const { shelf, log } = shelfWith();
    (await shelf.lease(a, { signal })).release();
    await shelf.close();
    expect(log).toEqual(['+a', '-a']);
  });
});
