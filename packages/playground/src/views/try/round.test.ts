import type { JsonValue } from '@dragoman/core';
import type { InspectorEvent } from '@dragoman/gateway';
import { describe, expect, it } from 'vitest';
import type { GatewayClient } from '../../gateway/gateway.js';
import { Trouble } from '../../gateway/trouble.js';
import { kinds } from '../../reading/index.js';
import { messagesIn, RunningRound } from './round.js';

const chunk = (content: string): JsonValue => ({ choices: [{ delta: { content }, finish_reason: null }] });
const place = { id: 'r', at: 1, choice: 0, attempt: 0 };
const live: InspectorEvent[] = [
  { type: 'upstream-request', sent: { prompt: '' }, settings: {}, ...place },
  { type: 'upstream-text', ...place, text: '<think>' },
  { type: 'parse', ...place, event: { type: 'markup', range: [0, 7] } },
  { type: 'upstream-text', ...place, text: 'Hm' },
  { type: 'parse', ...place, event: { type: 'reasoning-delta', range: [7, 9], text: 'Hm' } },
];
const end = { type: 'exchange-end', id: 'r', exchange: {} } as InspectorEvent;

async function* each<T>(items: readonly T[], failure?: Error): AsyncGenerator<T> {
  for (const item of items) {
    await Promise.resolve();
    yield item;
  }
  if (failure) throw failure;
}

function start(gateway: Partial<GatewayClient>, signal = new AbortController().signal) {
  let changes = 0;
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  const asked = { model: 'demo', system: '', tools: '', messages };
  const onChange = () => void changes++;
  const options = { id: 'r', asked, messages, signal, onChange, patience: 50 };
  const running = new RunningRound(gateway as GatewayClient, options);
  return { running, changes: () => changes };
}

describe('a round', () => {
  it('has the answer from its stream and the raw text from the inspector', async () => {
    const { running, changes } = start({
      chat: () => each([chunk('Hel'), chunk('lo.')]),
      live: async () => each([...live, end]),
    });
    await running.run();
    const { state, answer, raw } = running.round;
    expect([state, answer.text, raw.map(({ text }) => text)]).toEqual(['done', 'Hello.', ['<think>Hm']]);
    expect([...(raw[0]?.segments.kinds ?? [])].map((kind) => kinds[kind])).toEqual(['markup', 'reasoning']);
    expect(changes()).toBeGreaterThan(6);
    expect(messagesIn([running.round])).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello.' },
    ]);
  });

  it('does without the raw text where the inspector is off, and says so', async () => {
    const { running } = start({
      chat: () => each([chunk('Hello.')]),
      live: () => Promise.reject(new Trouble('off', 'The inspector of this gateway is off.')),
    });
    await running.run();
    expect(running.round).toMatchObject({ state: 'done', answer: { text: 'Hello.' }, raw: [] });
    expect(running.round.rawTrouble?.kind).toBe('off');
  });

  it('does not wait for ever for an inspector that says nothing', async () => {
    const { running } = start({
      chat: () => each([chunk('Hello.')]),
      live: () => new Promise(() => undefined),
    });
    await running.run();
    expect(running.round.state).toBe('done');
  });

  it('keeps what came before it failed, and is then no part of the conversation', async () => {
    const { running } = start({
      chat: () => each([chunk('Hel')], new Trouble('refused', 'The upstream is gone.')),
      live: async () => each([...live, end]),
    });
    await running.run();
    expect(running.round).toMatchObject({ state: 'failed', answer: { text: 'Hel' } });
    expect(running.round.trouble?.message).toBe('The upstream is gone.');
    expect(messagesIn([running.round])).toEqual([]);
  });

  it('is stopped and not failed where a person stopped it', async () => {
    const stop = new AbortController();
    const { running } = start(
      {
        chat: async function* () {
          yield chunk('Hel');
          stop.abort();
          throw stop.signal.reason;
        },
        live: async () => each(live),
      },
      stop.signal,
    );
    await running.run();
    expect(running.round).toMatchObject({ state: 'stopped', answer: { text: 'Hel' } });
    expect(running.round.trouble).toBeUndefined();
  });

  it('asks the inspector for the whole text where events were lost on their way', async () => {
    const attempt = { choice: 0, attempt: 0, text: '<think>Hm</think>', events: [] };
    const { running } = start({
      chat: () => each([chunk('Hello.')]),
      live: async () => each([...live, { type: 'dropped', count: 3 }, end]),
      exchange: async () => ({ attempts: [attempt] }) as never,
    });
    await running.run();
    expect(running.round.raw).toMatchObject([{ text: '<think>Hm</think>', incomplete: false }]);
  });
});
