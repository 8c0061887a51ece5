import { expect, it } from 'vitest';
import { type AnswerEvent, ApiError } from '../../model/index.js';
import { collectAnswer } from '../reply/collect-answer.js';
import { createAsk } from '../reply/create-ask.js';
import { HeldSize } from './held-size.js';
import type { Upstream } from './upstream.js';

const text = (length: number): AnswerEvent => ({ type: 'text-delta', text: 'x'.repeat(length) });

it('what is over the limit is an error that names it', () => {
  const held = new HeldSize({ most: 1000 });
  expect(held.add(text(900))).toBeUndefined();
  expect(held.add(text(900))).toMatchObject({
    code: 'upstream-broken',
    message: "The upstream's answer is longer than 1000 characters.",
  });
});

it('what the client got counts no more', () => {
  const held = new HeldSize({ most: 1000 });
  for (let n = 0; n < 100; n++) {
    expect(held.add(text(900))).toBeUndefined();
    held.give(text(900));
  }
  held.give(text(900));
  expect(held.add(text(900))).toBeUndefined();
  expect(held.add(text(900))).toBeDefined();
});

it.each<[string, AnswerEvent]>([
  ['events without text', text(0)],
  ['names of calls', { type: 'call-start', id: 'c', name: 'f'.repeat(100) }],
  [
    'what reasoning has beside its text',
    { type: 'reasoning-delta', text: '', extra: { s: 'x'.repeat(100) } },
  ],
])('%s count, too', (_, event) => {
  const held = new HeldSize({ most: 1000 });
  const errors = Array.from({ length: 100 }, () => held.add(event));
  expect(errors[0]).toBeUndefined();
  expect(errors.at(-1)).toBeDefined();
});

it('what is held is told in steps, and an error of the listener ends the answer', () => {
  const told: number[] = [];
  const error = new ApiError('overloaded', 'no room');
  const held = new HeldSize({
    tell: (characters) => {
      told.push(characters);
      if (characters > 300_000) throw error;
    },
  });
  const errors = Array.from({ length: 40 }, () => held.add(text(10_000)));
  expect(told.length).toBeLessThan(8);
  expect(errors.find((one) => one !== undefined)).toBe(error);
  expect(held.refused).toBe(error);
  held.drop();
  expect(told.at(-1)).toBe(0);
});

it.each(['emulate', 'heal', 'native'] as const)('an answer is left that is too long: %s', async (mode) => {
  let left = false;
  let given = 0;
  const upstream: Upstream = {
    takes: 'messages',
    tools: true,
    media: true,
    async *ask() {
      try {
        yield { type: 'answer-start' };
        for (;;) {
          given++;
          yield text(1000);
        }
      } finally {
        left = true;
      }
    },
  };
  const ask = createAsk({ upstream, mode, dialect: 'hermes' });
  const conversation = { messages: [], tools: [], toolChoice: 'auto' as const };
  const request = { model: 'm', conversation, settings: {}, stream: false };
  const held = new HeldSize({ most: 50_000 });
  const signal = new AbortController().signal;
  await expect(collectAnswer(ask(request, { signal, held }))).rejects.toMatchObject({
    code: 'upstream-broken',
    message: expect.stringContaining('50000 characters'),
  });
  await expect.poll(() => left).toBe(true);
  expect(given).toBeLessThan(60);
});
