// The mask of a taught message divides it as the message is divided: without its reasoning it is written as the rest.

import { type Conversation, dialects } from '@dragoman/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFull } from '../../../../test/effort.js';
import { plainTranscript } from '../forms/conversations.fixture.js';
import { RowError, type WrittenRow } from '../forms/form.js';
import { createMessagesForm } from '../text/messages-form.js';
import { maskKinds } from './training.js';

interface Taught {
  messages: { role: string; content: string }[];
  mask: { message: number; kind: string; start: number; end: number }[];
}

const withReasoning = (conversation: Conversation, text: string): Conversation => ({
  ...conversation,
  messages: conversation.messages.map((message) =>
    message.role === 'assistant'
      ? {
          ...message,
          parts: [
            { type: 'reasoning', text } as const,
            ...message.parts.filter(({ type }) => type !== 'reasoning'),
          ],
        }
      : message,
  ),
});

const withoutReasoning = (conversation: Conversation): Conversation => ({
  ...conversation,
  messages: conversation.messages.map((message) =>
    message.role === 'assistant'
      ? { ...message, parts: message.parts.filter(({ type }) => type !== 'reasoning') }
      : message,
  ),
});

/** Gives what is left of a text when its characters are found in another, in their order. */
function leftOf(text: string, inside: string): string {
  let at = 0;
  for (const character of inside.split('')) if (text[at] === character) at++;
  return text.slice(at);
}

/** Passes over a conversation that the dialect cannot say: results of command-r with a blank line in them. */
function written(write: () => WrittenRow): WrittenRow {
  try {
    return write();
  } catch (error) {
    fc.pre(
      !(error instanceof RowError && /would say something else|cannot be told apart/.test(error.message)),
    );
    throw error;
  }
}

describe.each(dialects)('the mask of messages of $name', (dialect) => {
  const form = createMessagesForm(dialect, { training: { mask: maskKinds, perTurn: true } });
  const samples = (conversation: Conversation): Taught[] => {
    const { row, more = [] } = written(() => form.write({ conversation, rest: [] }));
    return [row, ...more] as unknown as Taught[];
  };

  it('has the text and the calls as they are without reasoning', () => {
    fc.assert(
      fc.property(plainTranscript, fc.constantFrom('So.', 'A\n\nB'), ({ conversation }, text) => {
        fc.pre(conversation.messages.some(({ role }) => role === 'assistant'));
        const plain = samples(withoutReasoning(conversation));
        for (const [at, { messages, mask }] of samples(withReasoning(conversation, text)).entries()) {
          const ranges = mask.filter(({ message }) => message === messages.length - 1);
          const content = [...(messages.at(-1)?.content ?? '')];
          const rest = ranges.filter(({ kind }) => kind !== 'reasoning');
          const said = rest.map(({ start, end }) => content.slice(start, end).join('')).join('');
          // Some dialects frame a text only behind reasoning.
          expect(leftOf((plain[at]?.messages.at(-1)?.content ?? '').trim(), said)).toBe('');
          expect(said).not.toContain(text);
          const thought = ranges.filter(({ kind }) => kind === 'reasoning');
          const written = thought.map(({ start, end }) => content.slice(start, end).join('')).join('');
          if (written !== '') expect(written).toContain(text);
        }
      }),
      { numRuns: isFull ? 100 : 5 },
    );
  });
});
