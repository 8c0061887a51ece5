import { execFile } from 'node:child_process';
import { inspect, promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { loadPeer, StoreAddress, within } from './connection.js';
import { createStore } from './create-store.js';
import { MemoryStore } from './memory-store.js';

async function errorOf(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => expect.unreachable('it worked'),
    (error) => error as Error,
  );
}

describe('the URL of a store', () => {
  it.each([
    ['mongodb://user:secret-1@host/db', "found 'mongodb:'"],
    ['user:secret-1@host', "found 'user:'"],
    ['//user:secret-1@host', 'text that is none'],
    ['redis://user:secret-1@host:port', 'text that is none'],
    ['memory:?entries=many', 'found entries=many'],
    ['memory:?bytes=0', 'found bytes=0'],
    ['memory:?size=5', 'found size=5'],
  ])('%s is refused without quoting a password', async (url, found) => {
    const error = await errorOf(createStore(url));
    expect(error).toMatchObject({ code: 'bad-options', path: 'store.url' });
    expect(error.message).toContain(found);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('secret-1');
  });

  it('is shown without user, password and parameters', () => {
    const address = new StoreAddress('postgres://someone:s%40cret-1@host:5433/db?sslpassword=secret-2');
    expect(address.shown).toBe('postgres://host:5433/db');
  });

  it('has its secrets taken out of what drivers say, as they are spelled and as they are meant', () => {
    const address = new StoreAddress('postgres://someone:s%40cret-1@host/db?sslpassword=secret-2');
    const error = Object.assign(new Error('no s%40cret-1, no s@cret-1, no secret-2'), {
      code: 'EAUTH',
      command: { name: 'auth', args: ['s@cret-1'] },
    });
    const shown = address.errorOf(error);
    expect(shown).toMatchObject({ code: 'EAUTH', message: 'no [hidden], no [hidden], no [hidden]' });
    expect(inspect(shown, { depth: 9, showHidden: true })).not.toMatch(/cret-/);
  });
});

describe('a driver that is not installed', () => {
  it('is named, with the command that installs it', async () => {
    // Node's own words: the test runner has others.
    const script =
      "import('no-such-driver').catch(({ code, message }) => console.log(JSON.stringify({ code, message })))";
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    const { code, message } = JSON.parse(stdout);
    const missing = Object.assign(new Error(message), { code });
    const error = await errorOf(loadPeer('no-such-driver', '6', () => Promise.reject(missing)));
    expect(error).toMatchObject({ code: 'bad-options', path: 'store.url' });
    expect(error.message).toContain('npm install no-such-driver@6');
  });

  it('is told apart from one that is broken', async () => {
    const broken = new Error('it threw');
    expect(await errorOf(loadPeer('pg', '8', () => Promise.reject(broken)))).toBe(broken);
    const inner = Object.assign(new Error("Cannot find package 'inner' imported from pg"), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
    expect(await errorOf(loadPeer('pg', '8', () => Promise.reject(inner)))).toBe(inner);
  });
});

it('a promise that never ends is waited for no longer than allowed', async () => {
  await expect(within(10, new Promise(() => {}))).rejects.toThrow('no answer within 10 ms');
});

describe('memory is bounded', () => {
  const keysOf = async (store: MemoryStore, keys: string[]) => {
    const found = await Promise.all(keys.map((key) => store.get(key)));
    return keys.filter((_, at) => found[at] !== undefined);
  };

  it('by entries: the oldest go first, and what is put again is young', async () => {
    const store = new MemoryStore({ entries: 3 });
    for (const key of ['a', 'b', 'c', 'a', 'd']) await store.put(key, key, 60);
    expect(await keysOf(store, ['a', 'b', 'c', 'd'])).toEqual(['a', 'c', 'd']);
  });

  it('by bytes, keys included', async () => {
    const store = new MemoryStore({ bytes: 2 * 30 });
    for (const key of ['a', 'b', 'c']) await store.put(key, 'x'.repeat(9), 60);
    await store.put('d', 'x'.repeat(14), 60);
    expect(await keysOf(store, ['a', 'b', 'c', 'd'])).toEqual(['c', 'd']);
    await store.delete('d');
    await store.put('e', 'x'.repeat(19), 60);
    expect(await keysOf(store, ['c', 'd', 'e'])).toEqual(['c', 'e']);
  });

  it('by time: what is over makes room without being asked for', async () => {
    let now = 0;
    const store = new MemoryStore({ entries: 2, now: () => now });
    await store.put('old', 'x', 1);
    now = 1000;
    await store.put('a', 'x', 10);
    await store.put('b', 'x', 10);
    expect(await keysOf(store, ['old', 'a', 'b'])).toEqual(['a', 'b']);
    now = 11_000;
    expect(await keysOf(store, ['a', 'b'])).toEqual([]);
  });

  it('and says so of a value that can never fit, keeping the others', async () => {
    const store = await createStore('memory:?bytes=100&entries=5');
    await store.put('a', 'x', 60);
    await expect(store.put('b', 'x'.repeat(100), 60)).rejects.toMatchObject({ code: 'too-large' });
    expect(await store.get('a')).toBe('x');
  });
});
