import { TurnMemory } from '@dragoman/core/bridge';
import { expect, test } from 'vitest';
import { MemoryStore } from '../store/memory-store.js';
import { createTurnStore } from './turn-store.js';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

const request = (text: string) => ({
  model: 'm',
  settings: {},
  stream: false,
  conversation: {
    messages: [{ role: 'assistant' as const, parts: [{ type: 'text' as const, text }] }],
    tools: [],
    toolChoice: 'auto' as const,
  },
});

test('two gateways find what one of them kept, by keys that show nothing of it', async () => {
  const puts: string[] = [];
  const store = new MemoryStore();
  const watched = { ...createTurnStore(store, 100, silent) };
  const [one, other] = [0, 1].map(() => new TurnMemory({ store: watched })) as [TurnMemory, TurnMemory];
  const put = store.put.bind(store);
  store.put = (key, value, seconds) => {
    puts.push(key);
    return put(key, value, seconds);
  };
  const parts = [{ type: 'text' as const, text: 'A secret.' }];
  const written = { dialect: 'hermes', text: 'A secret. ', inside: false, body: 0, dividing: false };
  const before = { ...request(''), conversation: { ...request('').conversation, messages: [] } };
  one.of('client').keep(before, { parts, written });
  expect(puts).toEqual([expect.stringMatching(/^turn:[\da-f]{64}$/)]);
  await other.of('stranger').recall(request('A secret.'));
  expect(other.hits).toBe(0);
  await other.of('client').recall(request('A secret.'));
  expect(other.hits).toBe(1);
});

test('a store that cannot be reached is no error', async () => {
  const store = new MemoryStore();
  await store.close();
  const noted: string[] = [];
  const log = { ...silent, debug: (_fields: object, message: string) => void noted.push(message) };
  createTurnStore(store, 100, log).put('key', 'turn');
  await new Promise(setImmediate);
  expect(noted).toEqual(['a turn could not be kept in the store']);
});
