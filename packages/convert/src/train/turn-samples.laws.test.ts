// The samples of `--per-turn` are exactly the prompts that the gateway would have sent: each is compared with what the
// bridge spells for the request of that turn.

import { parse } from '@dragoman/core';
import type { AssistantMessage, Conversation, Dialect, Message, Tool } from '@dragoman/core/internal';
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

/** The dialects whose templates write no reasoning, and whose prompts open none. */
const unthinking = ['qwen3-coder', 'granite', 'apertus', 'minimax-m1', 'functionary-v3.2'];

/** Those whose templates write none, and whose prompts open some. */
const leavingOut = ['deepseek-v3.1', 'nemotron'];

/** The closers of calls at which models stop. */
const callClosers: Readonly<Record<string, string>> = { apertus: '<|tools_suffix|>' };

/** Gives what an upstream is sent for the messages before a turn. */
function sent(dialect: Dialect, conversation: Conversation, takes: 'prompt' | 'messages', thinking: boolean) {
  const settings = takes === 'prompt' ? { thinking } : {};
  const request = { conversation, model: 'some-model', settings, stream: false };
  const upstream = { takes, media: true, ask: () => ({}) };
  const spelled = spellRequest(request as never, dialect, upstream as never, {}, []);
  return spelled.request;
}

/**
 * Rows without images: prompts have no place for them, and the gateway refuses them there. For a call that is required
 * the gateway adds a note that samples do not have: turn-samples.test.ts has them.
 */
const transcripts = anyTranscript
  .filter(({ conversation: { toolChoice } }) => toolChoice === 'auto' || toolChoice === 'none')
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

/** The same, with another answer before some: messages of the assistant in a row. */
const transcriptsWithRuns = fc
  .tuple(transcripts, fc.array(fc.constantFrom('', '', 'I look.'), { minLength: 8, maxLength: 8 }))
  .map(([transcript, before]) => ({
    ...transcript,
    conversation: {
      ...transcript.conversation,
      messages: transcript.conversation.messages.flatMap((message, at): Message[] => {
        const text = message.role === 'assistant' ? (before[at % before.length] ?? '') : '';
        return text === '' ? [message] : [{ role: 'assistant', parts: [{ type: 'text', text }] }, message];
      }),
    },
  }));

/** Templates that write messages of the assistant in a row as one: turn-samples.test.ts has their samples. */
const joining = ['apertus', 'gemma4'];

/** What the model writes in one go: a message, and in gpt-oss each of its calls, which end with a stop string. */
interface Asked {
  /** The messages before it, and what the message itself has before it. */
  before: Message[];
  answer: AssistantMessage;
  /** The message that has it, with all that stands before it and nothing behind. */
  upTo: AssistantMessage;
  turn: number;
  at: number;
}

function askedIn({ name }: Dialect, { messages }: Conversation): Asked[] {
  return turnsOf(messages).flatMap(({ first, end }, turn) =>
    messages.slice(first, end).flatMap((message, place) => {
      const at = first + place;
      const parts = message.parts as AssistantMessage['parts'];
      const calls = parts.flatMap(({ type }, part) => (type === 'tool-call' ? [part] : []));
      const ends = name === 'harmony' && calls.length > 1 ? calls.map((part) => part + 1) : [parts.length];
      // A text behind the calls is written before them, and belongs to what the model wrote first.
      const rest = parts.slice(calls.length > 1 ? (calls.at(-1) ?? 0) + 1 : parts.length);
      return ends.map((part, nth) => {
        const of = (from: number, to: number) => ({
          ...message,
          parts: [...parts.slice(from, to), ...(from === 0 && ends.length > 1 ? rest : [])],
        });
        const before = messages.slice(0, at);
        return {
          before: nth === 0 ? before : [...before, of(0, ends[nth - 1] ?? 0) as Message],
          answer: of(ends[nth - 1] ?? 0, part) as AssistantMessage,
          upTo: withPlainText(of(0, part) as AssistantMessage),
          turn: turn + 1,
          at,
        };
      });
    }),
  );
}

/** A closer of reasoning in a text is no reasoning: a part of it, which is empty, keeps the template from cutting there. */
function withPlainText(message: AssistantMessage): AssistantMessage {
  const isCut =
    textOf(message).includes('</think>') && message.parts.every(({ type }) => type !== 'reasoning');
  return isCut ? { ...message, parts: [{ type: 'reasoning', text: '' }, ...message.parts] } : message;
}

describe.each(prompting)('the samples of turns in $name', (dialect) => {
  const form = createPromptForm(dialect, { training: { perTurn: true, mask: ['text', 'calls', 'end'] } });
  const lastOnly = createPromptForm(dialect, { training: { mask: ['text', 'calls', 'end'], train: 'last' } });

  const drawn = joining.includes(dialect.name) ? transcripts : transcriptsWithRuns;

  it('are the prompts that the gateway would have sent, and go on as the template does', () => {
    const numRuns = Math.ceil(CONVERSATIONS / prompting.length);
    let compared = 0;
    fc.assert(
      fc.property(drawn, (transcript) => {
        const { conversation } = transcript;
        const written = unlessUnsayable(() => form.write(transcript));
        // A conversation that is refused is drawn again: it does not count.
        fc.pre(written !== undefined);
        const rows = [written.row, ...(written.more ?? [])] as unknown as SampleRow[];
        const turns = turnsOf(conversation.messages);
        const all = askedIn(dialect, conversation);
        expect(rows.map(({ turn }) => turn)).toEqual(all.map(({ turn }) => turn));
        // Without reasoning in any answer, or in any sample of the dialect, the model is not asked for it.
        const thinking =
          !unthinking.includes(dialect.name) &&
          conversation.messages.some(
            ({ role, parts }) => role === 'assistant' && parts.some(({ type }) => type === 'reasoning'),
          );
        for (const [nth, { before, answer, upTo, at }] of all.entries()) {
          const { prompt = '', completion = '', mask = [] } = rows[nth] ?? {};
          const asked = { ...conversation, messages: before };
          expect(prompt).toBe(sent(dialect, asked, 'prompt', thinking).prompt);
          const answered = { ...conversation, messages: [...conversation.messages.slice(0, at), upTo] };
          const whole = renderPrompt(dialect, answered, { generate: false, thinking }).text;
          const sample = { dialect, prompt, completion, answer: [answer] };
          if (isThoughtLeftOut(dialect, prompt, answer)) {
            expect(isBegunOtherwise(written.notes, at)).toBe(false);
            checkReadBack(sample, conversation.tools);
          } else if (isBegunOtherwise(written.notes, at)) checkReadBack(sample, conversation.tools);
          else checkGoesOn(sample, whole, before.at(-1)?.role === 'assistant');
          for (const token of dialect.render.stop)
            expect(completion.slice(0, completion.length - token.length)).not.toContain(token);
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
  it('are those that are asked for reasoning and have none, in seven dialects, and have the whole answer', () => {
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
    const begunWith = (render: { thinking?: boolean }) =>
      prompting.flatMap((dialect) => {
        const form = createPromptForm(dialect, { render, training: { perTurn: true } });
        const { row, notes } = form.write({ conversation, rest: [] });
        if (!isBegunOtherwise(notes, 1)) return [];
        const { prompt, completion } = row as unknown as SampleRow;
        checkReadBack({ dialect, prompt, completion, answer: messages.slice(1) }, tools);
        return [dialect.name];
      });
    // These close reasoning in the prompt, and write finished answers without it; minimax-m2 always opens some.
    expect(begunWith({})).toEqual(['nemotron', 'minimax-m2', 'minicpm5', 'gemma4', 'solar-open']);
    expect(begunWith({ thinking: true })).toEqual([
      'glm-4.7',
      'deepseek-v3.1',
      'nemotron',
      'laguna',
      'minimax-m2',
      'minimax-m3',
      'minicpm5',
    ]);
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

const thoughtIn = (answer: readonly Message[]) =>
  answer
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])))
    .join('');

/** Whether the model went on inside of reasoning that the template does not write. */
const isThoughtLeftOut = ({ name, traits }: Dialect, prompt: string, answer: Message) =>
  leavingOut.includes(name) &&
  thoughtIn([answer]).trim() !== '' &&
  prompt.trimEnd().endsWith(traits.reasoning?.open ?? '');

const saidIn = (answer: readonly Message[]) => answer.map((message) => textOf(message)).join('');

const namesIn = (answer: readonly Message[]) =>
  answer.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? [part.name] : [])));

/** What prompts begin an answer with, where the template then writes other beginnings of what stands before it. */
const heads: Readonly<Record<string, readonly string[]>> = {
  // It takes the reasoning out of the turns before, once there is an answer. The answer itself is the same.
  harmony: ['<|start|>assistant'],
};

/** The same, behind another message of the assistant: only the last one has empty reasoning. */
const headsInRuns: Readonly<Record<string, readonly string[]>> = {
  hermes: ['<|im_start|>assistant\n', '<|im_start|>assistant\n<think>\n\n</think>\n\n'],
};

/** The completion is all that the template writes behind the prompt, to what the model stops with. */
function checkGoesOn({ dialect, prompt, completion, answer }: Sample, whole: string, isRun: boolean): void {
  const end = unwritten[dialect.name]?.find((token) => completion.endsWith(token)) ?? '';
  const said = completion.slice(0, completion.length - end.length);
  const known = heads[dialect.name] ?? (isRun ? headsInRuns[dialect.name] : undefined);
  if (known && !whole.startsWith(prompt)) {
    const goes = known.some((head) => prompt.endsWith(head) && whole.trimEnd().endsWith(head + said));
    expect(goes, JSON.stringify([prompt, said, whole])).toBe(true);
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
  turn: number;
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
  // Markers in it are broken by a backslash.
  const thought = isThoughtLeftOut(dialect, prompt, answer[0] as Message) ? thoughtIn(answer) : '';
  expect(unbroken(read.reasoning)).toBe(unbroken(thought));
  expect(read.calls.map(({ name }) => name)).toEqual(namesIn(answer));
  expect(read.text.replaceAll(/\s/g, '')).toBe(saidIn(answer).replaceAll(/\s/g, ''));
}

const unbroken = (text: string) => text.replaceAll(/[\s\\]/g, '');

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
      fc.property(transcriptsWithRuns, fc.constantFrom(...dialects), (transcript, dialect) => {
        const { conversation } = transcript;
        const form = createMessagesForm(dialect, { training: { perTurn: true } });
        const written = unlessUnsayable(() => form.write(transcript));
        fc.pre(written !== undefined);
        const rows = [written.row, ...(written.more ?? [])] as { messages: unknown[] }[];
        const answers = conversation.messages.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []));
        expect(rows).toHaveLength(answers.length);
        for (const [at, answer] of answers.entries()) {
          const asked = { ...conversation, messages: conversation.messages.slice(0, answer) };
          const { messages } = sent(dialect, asked, 'messages', false).conversation;
          const texts = messages.map(({ role, parts }) => ({
            role,
            content: parts.map((part) => ('text' in part ? part.text : '')).join(''),
          }));
          expect(rows[at]?.messages.slice(0, -1)).toEqual(texts);
        }
      }),
      { numRuns: isFull ? 1000 : 50 },
    );
  });
});
