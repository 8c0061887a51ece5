import { type Conversation, dialects, type Message } from '@dragoman/core/internal';
import { describe, expect, it } from 'vitest';
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

describe('the check of prefixes', () => {
  it('names old reasoning only where this turn loses it', () => {
    const hermes = dialects.find(({ name }) => name === 'hermes');
    if (!hermes) throw new Error('no dialect hermes');
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
});
