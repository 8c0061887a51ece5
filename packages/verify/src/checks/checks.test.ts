import { wireOf } from '@dragoman/core/wire';
import { describe, expect, it } from 'vitest';
import type { Question } from '../probe.js';
import { checks } from './index.js';

const probesOf = (id: string, size: 'quick' | 'full', api: 'openai-chat' | 'anthropic-messages') =>
  checks
    .find((check) => check.id === id)
    ?.probes?.({ wire: wireOf(api), model: 'any', size, seed: 1 })
    .map(({ id: name, steps: [step] }): [name: string, Question] => {
      if (!step || !('question' in step)) throw new Error(`${name} asks no question`);
      return [name, step.question];
    }) ?? [];

describe('the texts of arguments-exact', () => {
  it.each(['quick', 'full'] as const)('go whole and in a stream, %s', (size) => {
    const probes = probesOf('arguments-exact', size, 'openai-chat');
    const sent = (stream: boolean) =>
      probes.filter(([, one]) => (one.stream === true) === stream).map(([, { messages }]) => messages);
    expect(sent(true)).toEqual(sent(false));
    expect(sent(true)).toHaveLength(size === 'full' ? 15 : 14);
    expect(new Set(probes.map(([name]) => name)).size).toBe(probes.length);
  });

  it('have room in the answer where a request must name its limit', () => {
    const limits = (api: 'openai-chat' | 'anthropic-messages') => [
      ...new Set(probesOf('arguments-exact', 'full', api).map(([, { maxTokens }]) => maxTokens)),
    ];
    expect(limits('anthropic-messages')).toEqual([20_000]);
    expect(limits('openai-chat')).toEqual([undefined]);
  });
});

it.each(['history-tolerant', 'system-order', 'result-accepted', 'finish-reason'])(
  'the conversations of %s go whole and in a stream',
  (id) => {
    const streams = probesOf(id, 'quick', 'openai-chat').map(([, { stream }]) => stream === true);
    expect(streams.filter(Boolean)).toHaveLength(streams.length / 2);
  },
);
