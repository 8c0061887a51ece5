import { describe, expect, it } from 'vitest';
import { growthOf } from '../../../../test/cost.js';
import { acceptConversation, type Message } from './index.js';

const messagesOf = (...messages: unknown[]): Message[] => acceptConversation(messages).messages;
const call = (id: string | undefined, name = 'f', args: unknown = '{}') => ({
  ...(id !== undefined && { id }),
  type: 'function',
  function: { name, arguments: args },
});

describe('results', () => {
  const linked = (...messages: unknown[]) =>
    messagesOf(...messages).flatMap((message) =>
      message.role === 'tool' ? message.parts.map((part) => [part.callId, part.name, part.output]) : [],
    );
  const assistant = (...calls: unknown[]) => ({ role: 'assistant', tool_calls: calls });
  const answer = (content: unknown, more: object = {}) => ({ role: 'tool', content, ...more });

  it('are found in linear time', () => {
    const link = (count: number) => {
      const names = Array.from({ length: count }, (_, at) => `f${at}`);
      const calls = assistant(...names.map((name) => call(undefined, name)));
      const results = names.map((name) => answer('x', { name: `${name}x` }));
      return () => expect(linked(calls, ...results)).toHaveLength(count);
    };
    expect(growthOf(link(40_000), link(5000), 2.5)).toBeLessThan(2.5);
  });
});
