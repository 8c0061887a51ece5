// The samples of `--per-turn` are exactly the prompts that the gateway would have sent: each is compared with what the
// bridge spells for the request of that turn.

import { parse } from '@dragoman/core';
import type { Conversation, Dialect, Message, Tool } from '@dragoman/core/internal';
import { dialects, renderPrompt, textOf, UsageError } from '@dragoman/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFull } from '../../../../test/effort.js';
import { spellRequest } from '../../../core/src/bridge/emulate/spell-request.js';
import { anyTranscript } from '../forms/conversations.fixture.js';
import { type Note, RowError } from '../forms/form.js';
import { createMessagesForm } from '../text/messages-form.js';
import { createPromptForm } from '../text/prompt-form.js';
import { turnsOf } from './training.js';

/** In the full measure 10,000 conversations, over all dialects. */
const CONVERSATIONS = isFull ? 10_000 : 300;

const prompting = dialects.filter(({ render }) => render.prompt);

/** What templates write behind an answer where the model writes none of its stop strings. */
const unlearnt: Readonly<Record<string, string>> = { 'solar-open': '<|end|>' };

/** What models stop with behind a last answer, where the template writes none of it. */
const unwritten: Readonly<Record<string, readonly string[]>> = {
  'glm-4.5': ['<|user|>', '<|observation|>'],
  'glm-4.7': ['<|user|>', '<|observation|>'],
  apertus: ['<|assistant_end|>'],
  'solar-open': ['<|flush|>'],
};

/** The closers of calls at which models stop. */
const callClosers: Readonly<Record<string, string>> = { apertus: '<|tools_suffix|>' };

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
  const lastOnly = createPromptForm(dialect, { training: { mask: ['text', 'calls', 'end'], train: 'last' } });

  it('are the prompts that the gateway would have sent, and go on as the template does', () => {
    const numRuns = Math.ceil(CONVERSATIONS / prompting.length);
    let compared = 0;
    fc.assert(
      fc.property(transcripts, (transcript) => {
        const { conversation } = transcript;
        const written = unlessUnsayable(() => form.write(transcript));
        // A conversation that is refused is drawn again: it does not count.
        fc.pre(written !== undefined);
        const rows = [written.row, ...(written.more ?? [])] as unknown as SampleRow[];
        const turns = turnsOf(conversation.messages);
        expect(rows).toHaveLength(turns.length);
        const thinking = conversation.messages.some(
          ({ role, parts }) => role === 'assistant' && parts.some(({ type }) => type === 'reasoning'),
        );
        for (const [at, { first, end }] of turns.entries()) {
          const { prompt = '', completion = '', mask = [] } = rows[at] ?? {};
          const asked = { ...conversation, messages: conversation.messages.slice(0, first) };
          expect(prompt).toBe(sent(dialect, asked, 'prompt', thinking).prompt);
          const answered = { ...conversation, messages: conversation.messages.slice(0, end) };
          const settings = { generate: false, ...(thinking && { thinking }) };
          const whole = renderPrompt(dialect, answered, settings).text;
          const sample = { dialect, prompt, completion, answer: conversation.messages.slice(first, end) };
          if (isBegunOtherwise(written.notes, first)) checkReadBack(sample, conversation.tools);
          else checkGoesOn(sample, whole);
          checkEnd({ ...sample, text: prompt + completion, mask });
          compared++;
        }
        if (turns.at(-1)?.end !== conversation.messages.length) return;
        const { prompt: text, mask } = lastOnly.write(transcript).row as unknown as SampleRow;
        const answer = conversation.messages.slice(turns.at(-1)?.first);
        checkEnd({ dialect, answer, text: text.trimEnd(), mask });
      }),
      { numRuns },
    );
    expect(compared).toBeGreaterThanOrEqual(numRuns);
  });
});

describe('samples whose answer begins otherwise than the prompt', () => {
  it('are those of four dialects without reasoning, and have the whole answer', () => {
    const messages: Conversation['messages'] = [
      { role: 'user', parts: [{ type: 'text', text: 'Weather?' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'I look.' },
          { type: 'tool-call', id: 'c1', name: 'get_weather', input: { city: 'Oslo' } },
        ],
      },
    ];
    const tools = [{ name: 'get_weather', parameters: { type: 'object', properties: {} } }];
    const conversation: Conversation = { messages, tools, toolChoice: 'auto' };
    const begun = prompting.filter((dialect) => {
      const form = createPromptForm(dialect, { training: { perTurn: true } });
      const { row, notes } = form.write({ conversation, rest: [] });
      if (!isBegunOtherwise(notes, 1)) return false;
      const { prompt, completion } = row as unknown as { prompt: string; completion: string };
      checkReadBack({ dialect, prompt, completion, answer: messages.slice(1) }, tools);
      return true;
    });
    expect(begun.map(({ name }) => name)).toEqual(['glm-4.7', 'nemotron', 'minimax-m2', 'gemma4']);
  });

  it('do not repeat the header before an empty answer of functionary', () => {
    const messages: Conversation['messages'] = [
      { role: 'user', parts: [{ type: 'text', text: 'Hello.' }] },
      { role: 'assistant', parts: [{ type: 'reasoning', text: 'No.' }] },
    ];
    const dialect = prompting.find(({ name }) => name === 'functionary-v3.2') as Dialect;
    const form = createPromptForm(dialect, { training: { perTurn: true } });
    const { row } = form.write({ conversation: { messages, tools: [], toolChoice: 'auto' }, rest: [] });
    expect(row).toMatchObject({ completion: '<|eot_id|>' });
  });
});

interface Sample {
  dialect: Dialect;
  prompt: string;
  completion: string;
  answer: readonly Message[];
}

const isBegunOtherwise = (notes: readonly Note[], first: number) =>
  notes.some(({ code, path }) => code === 'begun-otherwise' && path === `messages[${first}]`);

const saidIn = (answer: readonly Message[]) => answer.map((message) => textOf(message)).join('');

const namesIn = (answer: readonly Message[]) =>
  answer.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? [part.name] : [])));

/** What harmony begins an answer with. */
const HEAD = '<|start|>assistant';

/** The completion is all that the template writes behind the prompt, to what the model stops with. */
function checkGoesOn({ dialect, prompt, completion, answer }: Sample, whole: string): void {
  const end = unwritten[dialect.name]?.find((token) => completion.endsWith(token)) ?? '';
  const said = completion.slice(0, completion.length - end.length);
  if (dialect.name === 'harmony' && !whole.startsWith(prompt)) {
    // Its template takes the reasoning out of the turns before, once there is an answer. The answer itself is the same.
    expect([prompt.endsWith(HEAD), whole.endsWith(HEAD + said)]).toEqual([true, true]);
    return;
  }
  expect(whole.slice(0, prompt.length + said.length)).toBe(prompt + said);
  expect(['', unlearnt[dialect.name]]).toContain(whole.slice(prompt.length + said.length).trim());
  if (said !== '') return;
  // Apertus writes nothing for an answer that has only reasoning.
  expect([dialect.name, saidIn(answer), namesIn(answer)]).toEqual(['apertus', '', []]);
}

/** A sample that does not teach the model to stop is broken: the text ends with a stop string, which is learnt. */
function checkEnd({ dialect, answer, text, mask }: Pick<Sample, 'dialect' | 'answer'> & Ended): void {
  const calls = namesIn(answer.slice(-1)).length > 0;
  const closer = calls ? callClosers[dialect.name] : undefined;
  const learnt = mask.at(-1);
  const last = [...text].slice(learnt?.start, learnt?.end).join('');
  expect(text.endsWith(last)).toBe(true);
  if (closer !== undefined) expect([learnt?.kind, last.endsWith(closer)]).toEqual(['calls', true]);
  else expect([['end', dialect.render.stop.includes(last)], last]).toEqual([['end', true], last]);
  if (dialect.name.startsWith('glm-')) expect(last).toBe(calls ? '<|observation|>' : '<|user|>');
}

interface Ended {
  text: string;
  mask: SampleRow['mask'];
}

interface SampleRow {
  prompt: string;
  completion: string;
  mask: { kind: string; start: number; end: number }[];
}

/** The template writes the answer otherwise than behind this prompt: a parser finds it in the completion. */
function checkReadBack({ dialect, prompt, completion, answer }: Sample, tools: readonly Tool[]): void {
  const open = dialect.traits.reasoning?.open.trimEnd();
  const thinking = open !== undefined && prompt.trimEnd().endsWith(open);
  const read = parse(dialect, completion, { tools, thinking });
  expect(completion).not.toBe('');
  expect(read.calls.map(({ name }) => name)).toEqual(namesIn(answer));
  // Some templates leave out what stands before an end of reasoning, also in a text.
  const said = saidIn(answer).replaceAll(/\s/g, '');
  expect([said, said.split('</think>').at(-1)]).toContain(read.text.replaceAll(/\s/g, ''));
}

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
        fc.pre(written !== undefined);
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
