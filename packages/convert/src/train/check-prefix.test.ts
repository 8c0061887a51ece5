import { type Conversation, type Dialect, dialects, type Message } from '@dragoman/core/internal';
import { describe, expect, it } from 'vitest';
import { createMessagesForm } from '../text/messages-form.js';
import { createPromptForm } from '../text/prompt-form.js';
import type { ChatTemplate } from './chat-tokens.js';
import { prefixMember } from './check-prefix.js';
import { promptSamples } from './turn-samples.js';

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
const answer = (text: string, reasoning?: string): Message => ({
  role: 'assistant',
  parts: [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning' as const, text: reasoning }]),
    { type: 'text', text },
  ],
});

/** A chat template that leaves out the reasoning of answers before the last message. */
const chat: ChatTemplate = {
  stops: ['<end>'],
  render: (messages, generate) =>
    messages
      .map(({ role, content }, at) => {
        const isOld = role === 'assistant' && at < messages.length - 1;
        return `${role}: ${isOld ? content.split('</think>').at(-1) : content}<end>`;
      })
      .join('') + (generate ? 'assistant: ' : ''),
};

const hermes = dialects.find(({ name }) => name === 'hermes') as Dialect;

describe('the check of prefixes', () => {
  it('names old reasoning only where this turn loses it', () => {
    const conversation: Conversation = {
      messages: [
        user('One?'),
        answer('One.', 'I count to one.'),
        user('Two?'),
        answer('Two.'),
        user('Three?'),
        answer('Three.'),
      ],
      tools: [],
      toolChoice: 'auto',
    };
    const samples = promptSamples(hermes, conversation, {});
    expect(prefixMember(conversation, samples, undefined, undefined)).toMatchObject({
      whole: false,
      breaks: [
        { turn: 1, rule: 'old-reasoning' },
        { turn: 2, rule: 'answer-start' },
      ],
    });
  });

  it('counts code points', () => {
    const sample = { turn: 1, first: 1, end: 2, answers: [], begunOtherwise: false };
    const conversation: Conversation = {
      messages: [user('Hi.'), answer('b')],
      tools: [],
      toolChoice: 'auto',
    };
    const characters = (completion: string, next: string) =>
      prefixMember(conversation, [{ ...sample, prompt: 'a', completion }], next, undefined).breaks;
    expect(characters('🎉b🎉', 'a!')).toMatchObject([{ characters: 3 }]);
    // The two characters begin with the same UTF-16 unit.
    expect(characters('🎉b', 'a🎈b')).toMatchObject([{ characters: 2 }]);
  });

  describe.each([
    ['prompts', createPromptForm],
    ['taught messages', createMessagesForm],
  ])('of %s', (_, create) => {
    const talk = (messages: Message[]) => ({
      conversation: { messages, tools: [], toolChoice: 'auto' as const },
      rest: [],
    });
    const thinks = [
      user('One?'),
      answer('One.', 'I count to one.'),
      user('Two?'),
      answer('Two.', 'I count.'),
      user('Three?'),
    ];

    it.each([{}, { perTurn: true }])('notes a row with breaks once, with the first of them: %j', (how) => {
      const form = create(hermes, { training: { checkPrefix: true, chat, ...how } });
      const breaks = (messages: Message[]) =>
        form.write(talk(messages)).notes.filter(({ code }) => code === 'prefix-break');
      expect(breaks(thinks)).toEqual([
        { kind: 'issue', code: 'prefix-break', path: 'turn 1, old-reasoning' },
      ]);
      expect(breaks(thinks.slice(0, 2))).toEqual([]);
    });
  });
});
