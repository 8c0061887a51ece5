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

  it('serves two keys at one model in turn, and loads it once', async () => {
    const { shelf, log } = shelfWith({ parallel: 1 });
    const order: string[] = [];
    const ask = async (client: string, name: string) => {
      const { release } = await shelf.lease(a, { client, signal });
      order.push(name);
      await settle();
      release();
    };
    const asked = [ask('one', 'one 1'), ask('one', 'one 2'), ask('one', 'one 3'), ask('two', 'two 1')];
    await Promise.all(asked);
    expect(order).toEqual(['one 1', 'one 2', 'two 1', 'one 3']);
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

  it('begins no answers of a model whose room another waits for, and goes on with them afterwards', async () => {
    const { shelf, log } = shelfWith({ memory: 10 });
    const first = await shelf.lease(a, { signal });
    const other = shelf.lease(b, { signal });
    await settle();
    const order: string[] = [];
    const later = shelf.lease(a, { signal }).then((lease) => {
      order.push('a');
      return lease;
    });
    await settle();
    expect(order).toEqual([]);
    first.release();
    const { release } = await other;
    order.push('b');
    release();
    (await later).release();
    expect(order).toEqual(['b', 'a']);
    expect(log).toEqual(['+a', '-a', '+b', '-b', '+a']);
  });

  it('counts models that wait to be loaded as no room that is taken', async () => {
    const { shelf, log } = shelfWith({ memory: 10 });
    const leases = [a, b, c].map((one) => shelf.lease(one, { signal }));
    for (const lease of leases) (await lease).release();
    expect(log).toEqual(['+a', '-a', '+b', '-b', '+c']);
  });

  it('ends the wait for a model when nobody wants it any more', async () => {
    const { shelf, log } = shelfWith({ memory: 10 });
    const first = await shelf.lease(a, { signal });
    const aborter = new AbortController();
    const other = shelf.lease(b, { signal: aborter.signal });
    await settle();
    const next = shelf.lease(a, { signal });
    aborter.abort(new Error('left'));
    await expect(other).rejects.toThrow('left');
    // It is not unloaded for nobody.
    (await next).release();
    first.release();
    await settle();
    expect(log).toEqual(['+a']);
    (await shelf.lease(b, { signal })).release();
    expect(log).toEqual(['+a', '-a', '+b']);
  });

  it('leaves a request that was aborted while its model is loaded', async () => {
    let loaded = (_: LocalModel) => {};
    const load = () =>
      new Promise<LocalModel>((tell) => {
        loaded = tell;
      });
    const shelf = new ModelShelf({ load });
    const aborter = new AbortController();
    const left = shelf.lease(a, { signal: aborter.signal });
    await settle();
    aborter.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    const next = shelf.lease(a, { signal });
    loaded({ name: 'a' } as LocalModel);
    await expect(next).resolves.toMatchObject({ model: { name: 'a' } });
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

  it('unloads what is retired when nobody uses it, and answers who comes late', async () => {
    const { shelf, log } = shelfWith({ parallel: 1 });
    const first = await shelf.lease(a, { signal });
    const waiting = shelf.lease(a, { signal });
    (await shelf.lease(b, { signal })).release();
    shelf.retire();
    await settle();
    expect(log).toEqual(['+a', '+b', '-b']);
    first.release();
    const second = await waiting;
    await settle();
    expect(log).toEqual(['+a', '+b', '-b']);
    second.release();
    await settle();
    expect(log).toEqual(['+a', '+b', '-b', '-a']);
    (await shelf.lease(a, { signal })).release();
    await settle();
    expect(log.slice(4)).toEqual(['+a', '-a']);
  });

  it('tells what could not be unloaded when it is retired', async () => {
    const failed: string[] = [];
    const close = () => Promise.reject(new Error('busy'));
    const shelf = new ModelShelf({
      load: async () => ({ close }) as unknown as LocalModel,
      onError: (error, { name }) => failed.push(`${name}: ${(error as Error).message}`),
    });
    (await shelf.lease(a, { signal })).release();
    shelf.retire();
    await settle();
    expect(failed).toEqual(['a: busy']);
  });

  it('closes what is loaded', async () => {
    const { shelf, log } = shelfWith();
    (await shelf.lease(a, { signal })).release();
    await shelf.close();
    expect(log).toEqual(['+a', '-a']);
  });
});
