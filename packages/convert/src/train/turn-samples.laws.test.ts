// The samples of `--per-turn` are exactly the prompts that the gateway would have sent: each is compared with what the
// bridge spells for the request of that turn.

import type { Conversation, Dialect } from '@dragoman/core/internal';
import { dialects, renderPrompt, UsageError } from '@dragoman/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFull } from '../../../../test/effort.js';
import { spellRequest } from '../../../core/src/bridge/emulate/spell-request.js';
import { anyTranscript } from '../forms/conversations.fixture.js';
import { RowError } from '../forms/form.js';
import { createMessagesForm } from '../text/messages-form.js';
import { createPromptForm } from '../text/prompt-form.js';
import { turnsOf } from './training.js';

/** In the full measure 10,000 conversations, over all dialects. */
const CONVERSATIONS = isFull ? 10_000 : 300;

const prompting = dialects.filter(({ render }) => render.prompt);

/** Gives what an upstream is sent for the messages before a turn. */
function sent(dialect: Dialect, conversation: Conversation, takes: 'prompt' | 'messages', thinking: boolean) {
  const settings = takes === 'prompt' && thinking ? { thinking } : {};
  const request = { conversation, model: 'some-model', settings, stream: false };
  const upstream = { takes, media: true, ask: () => ({}) };
  const spelled = spellRequest(request as never, dialect, upstream as never, {}, []);
  return spelled.request;
}

/** Rows without images: prompts have no place for them, and the gateway refuses them there. */
const transcripts = anyTranscript
  .filter(({ conversation: { toolChoice } }) => toolChoice === 'auto')
  .map((transcript) => ({
    ...transcript,
    rest: [],
    conversation: {
      ...transcript.conversation,
      messages: transcript.conversation.messages.map((message) =>
        message.role === 'user'
          ? { ...message, parts: message.parts.filter(({ type }) => type === 'text') }
          : message,
      ),
    },
  }));

describe.each(prompting)('the samples of turns in $name', (dialect) => {
  const form = createPromptForm(dialect, { training: { perTurn: true, mask: ['text', 'calls', 'end'] } });

  it('are the prompts that the gateway would have sent, and go on as the template does', () => {
    const numRuns = Math.ceil(CONVERSATIONS / prompting.length);
    fc.assert(
      fc.property(transcripts, (transcript) => {
        const { conversation } = transcript;
        const written = unlessUnsayable(() => form.write(transcript));
        if (!written) return;
        const rows = [written.row, ...(written.more ?? [])] as { prompt: string; completion: string }[];
        const turns = turnsOf(conversation.messages);
        expect(rows).toHaveLength(turns.length);
        const thinking = conversation.messages.some(
          ({ role, parts }) => role === 'assistant' && parts.some(({ type }) => type === 'reasoning'),
        );
        for (const [at, { first, end }] of turns.entries()) {
          const { prompt = '', completion = '' } = rows[at] ?? {};
          const asked = { ...conversation, messages: conversation.messages.slice(0, first) };
          expect(prompt).toBe(sent(dialect, asked, 'prompt', thinking).prompt);
          const answered = { ...conversation, messages: conversation.messages.slice(0, end) };
          const settings = { generate: false, ...(thinking && { thinking }) };
          const whole = renderPrompt(dialect, answered, settings).text;
          if (whole.startsWith(prompt)) expect(whole.slice(prompt.length)).toContain(completion);
        }
      }),
      { numRuns },
    );
  });
});

/** Some conversations cannot be said in a dialect, which is tried elsewhere. */
function unlessUnsayable<T>(write: () => T): T | undefined {
  try {
    return write();
  } catch (error) {
    if (error instanceof RowError || error instanceof UsageError) return undefined;
    throw error;
  }
}

describe('the samples of turns as messages', () => {
  it('are the messages that the gateway would have sent', () => {
    fc.assert(
      fc.property(transcripts, fc.constantFrom(...dialects), (transcript, dialect) => {
        const { conversation } = transcript;
        const form = createMessagesForm(dialect, { training: { perTurn: true } });
        const written = unlessUnsayable(() => form.write(transcript));
        if (!written) return;
        const rows = [written.row, ...(written.more ?? [])] as { messages: unknown[] }[];
        for (const [at, { first, end }] of turnsOf(conversation.messages).entries()) {
          const asked = { ...conversation, messages: conversation.messages.slice(0, first) };
          const { messages } = sent(dialect, asked, 'messages', false).conversation;
          const texts = messages.map(({ role, parts }) => ({
            role,
            content: parts.map((part) => ('text' in part ? part.text : '')).join(''),
          }));
          const before = rows[at]?.messages.slice(0, -(end - first));
          expect(before).toEqual(texts);
        }
      }),
      { numRuns: isFull ? 1000 : 50 },
    );
  });
});
