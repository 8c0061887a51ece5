// Every masked character is one that the model would have to write, and only those: what stands before an answer is the
// prompt that `renderPrompt` gives up to that turn, and what is masked is what it then adds, to the end token.

import {
  type AssistantMessage,
  type Conversation,
  callsOf,
  type Dialect,
  dialects,
  type RenderOptions,
  renderPrompt,
  type TracedAnswer,
  type TracedPrompt,
  textOf,
  tracePrompt,
} from '@dragoman/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFull, oneOf } from '../../../../test/effort.js';
import { anyTranscript, corpusTranscripts, plainTranscript } from '../forms/conversations.fixture.js';

const prompting = dialects.filter(({ render }) => render.prompt);

/** What templates write behind an answer where the model writes none of its stop strings. */
const unlearnt: Readonly<Record<string, readonly string[]>> = {
  'solar-open': ['<|end|>'],
};

/** Templates that write earlier messages otherwise when the conversation goes on, beside those that drop reasoning. */
const moving: Readonly<Record<string, string>> = {
  mistral: 'tools stand before the last question',
};

/** Templates that write a finished answer with the end of reasoning where their prompt begins some, or the reverse. */
const otherFrames: Readonly<Record<string, readonly string[]>> = {
  'deepseek-v4.1': ['<｜Assistant｜></think>'],
  laguna: ['<assistant>\n</think>\n', '<assistant>\n<think>'],
  'minimax-m3': [']~b]ai\n</mm:think>', ']~b]ai\n<mm:think>'],
};

/** What templates write between the reasoning and the text, beside tags of reasoning. */
const leadTag: Readonly<Record<string, string>> = {
  'solar-open': '<|begin|>assistant',
};

const thinks = ({ messages }: Conversation) =>
  messages.some(({ role, parts }) => role === 'assistant' && parts.some(({ type }) => type === 'reasoning'));

const modelsOf = ({ render: { variants = [] } }: Dialect) => [undefined, ...variants.map(({ name }) => name)];

function optionsOf(dialect: Dialect): RenderOptions[] {
  return modelsOf(dialect).flatMap((model) =>
    [undefined, true, false].map((thinking) => ({
      ...(model !== undefined && { model }),
      ...(thinking !== undefined && { thinking }),
    })),
  );
}

function upTo(conversation: Conversation, end: number): Conversation {
  return { ...conversation, messages: conversation.messages.slice(0, end) };
}

/** Gives the conversation with this message as its last, without the calls behind the first if the model stops there. */
function upToFirstStop(dialect: Dialect, conversation: Conversation, at: number): Conversation {
  const message = conversation.messages[at];
  if (message?.role !== 'assistant' || stretchesIn(dialect, message).length === 1)
    return upTo(conversation, at + 1);
  const [first] = callsOf(message);
  const parts = message.parts.filter((part) => part.type !== 'tool-call' || part === first);
  return { ...conversation, messages: [...conversation.messages.slice(0, at), { ...message, parts }] };
}

function check(dialect: Dialect, conversation: Conversation, options: RenderOptions): void {
  const settings = { ...options, generate: false };
  const whole = renderPrompt(dialect, conversation, settings);
  const traced = tracePrompt(dialect, conversation, settings);
  expect([traced.text, traced.spans]).toEqual([whole.text, whole.spans]);
  const expected = conversation.messages.flatMap((message, at) =>
    message.role === 'assistant' ? stretchesIn(dialect, message).map(() => at) : [],
  );
  expect(traced.answers.map(({ message }) => message)).toEqual(expected);
  let before = 0;
  for (const [at, answer] of traced.answers.entries()) {
    const { start, text, calls, close, end } = answer;
    expect([before, start, text, calls, close, end]).toEqual(
      [before, start, text, calls, close, end].sort((a, b) => a - b),
    );
    before = end;
    expect(['', ...traced.stop], JSON.stringify(whole.text.slice(close))).toContain(
      whole.text.slice(close, end),
    );
    // A text from outside has no stop string: its markers are broken.
    for (const token of traced.stop)
      expect(whole.text.slice(start, end - token.length), whole.text).not.toContain(token);
    if (traced.answers[at - 1]?.message === answer.message)
      expect(whole.text.slice(0, start)).toMatch(/<\|call\|><\|start\|>assistant$/);
    else checkAnswer(dialect, conversation, options, traced, answer);
  }
}

/** What the model writes in one go: a message, and in gpt-oss each of its calls, behind which it stops. */
function stretchesIn({ name }: Dialect, message: AssistantMessage): (string | undefined)[] {
  const names = callsOf(message).map((call) => call.name);
  return name === 'harmony' && names.length > 1 ? names : [names[0]];
}

function checkAnswer(
  dialect: Dialect,
  conversation: Conversation,
  options: RenderOptions,
  { text: whole, stop }: TracedPrompt,
  answer: TracedAnswer,
): void {
  const { message, start, close } = answer;
  // Of two messages of the assistant in a row the second has no prompt of its own.
  if (conversation.messages[message - 1]?.role === 'assistant') return;
  const prompt = renderPrompt(dialect, upTo(conversation, message), options).text;
  if (!whole.startsWith(prompt)) {
    checkOtherwise(dialect, conversation, options, whole, answer, prompt);
    return;
  }
  expect(start).toBe(prompt.length);
  const answered = upToFirstStop(dialect, conversation, message);
  const then = renderPrompt(dialect, answered, { ...options, generate: false }).text;
  if (!then.startsWith(prompt)) {
    // Without thinking a prompt closes it at once, which an answer with reasoning does not.
    expect([options.thinking, dialect.traits.reasoning !== undefined]).toEqual([false, true]);
    return;
  }
  const added = then.slice(prompt.length);
  const mine = whole.slice(start, close);
  const rest = added.slice(mine.length);
  const ends = ['', ...stop, ...(unlearnt[dialect.name] ?? [])];
  const isWhole =
    added.startsWith(mine) && ends.some((end) => (end === '' ? rest === '' : rest.startsWith(end)));
  if (isWhole) return;
  // Only reasoning may be missing, which a later prompt leaves out: what stands behind it is as it was.
  const cut = ends.find((end) => end !== '' && added.trimEnd().endsWith(end)) ?? '';
  const body = added.trimEnd().slice(0, added.trimEnd().length - cut.length);
  const closers = closersIn(dialect, added);
  expect(closers, JSON.stringify([mine, added])).not.toEqual([]);
  const behind = behindReasoning(dialect, added);
  expect(behind(mine)).toBe(behind(body));
}

/** Gives a text without tags of reasoning and white space. */
function bare({ traits }: Dialect, text: string): string {
  const tags = ['<think>', '</think>', traits.reasoning?.open ?? '', traits.reasoning?.close ?? ''];
  return tags
    .reduce((left, tag) => (tag === '' ? left : left.replaceAll(tag, '')), text)
    .replaceAll(/\s/g, '');
}

/** What is masked before a text is the reasoning of the message, or what its template takes for it, and tags. */
function checkLead(dialect: Dialect, lead: string, message: AssistantMessage): void {
  const plain = (text: string) =>
    bare(dialect, text.replaceAll('\\', '')).replaceAll(leadTag[dialect.name] ?? '', '');
  const said = textOf(message);
  const ends = closersIn(dialect, said).map((closer) => said.lastIndexOf(closer));
  const thoughts = message.parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
  expect(plain(thoughts + said.slice(0, Math.max(0, ...ends)))).toContain(plain(lead));
}

const closersIn = ({ traits }: Dialect, text: string) =>
  [traits.reasoning?.close ?? '', '</think>'].filter((closer) => closer !== '' && text.includes(closer));

/** Gives a function that leaves what stands behind the last end of reasoning, also behind one that is quoted. */
function behindReasoning(dialect: Dialect, text: string): (answer: string) => string {
  const plain = (answer: string) => answer.replaceAll('<\\/', '</');
  const closers = closersIn(dialect, plain(text));
  const cut = (left: string, closer: string) => {
    const at = left.lastIndexOf(closer);
    return at < 0 ? left : left.slice(at + closer.length);
  };
  return (answer) => closers.reduce(cut, plain(answer)).trim();
}

/** The prompt is no prefix of the whole: by which rule of the template, and what is masked all the same. */
function checkOtherwise(
  dialect: Dialect,
  conversation: Conversation,
  options: RenderOptions,
  whole: string,
  { message, start, text, close }: TracedAnswer,
  prompt: string,
): void {
  const asked = upTo(conversation, message);
  const { thinking: _, ...others } = options;
  const prompts = [{}, { thinking: true }, { thinking: false }].map(
    (thinking) => renderPrompt(dialect, asked, { ...others, ...thinking }).text,
  );
  const base = renderPrompt(dialect, asked, { ...options, generate: false }).text;
  const frame = whole.startsWith(base) ? whole.slice(base.length, Math.max(start, base.length)) : undefined;
  const why = {
    // The template writes finished answers as one that was asked for with other thinking.
    otherThinking: prompts.some((one) => one.length === start && whole.startsWith(one)),
    // It writes them with less of a beginning than the prompt, or with another one.
    frame:
      frame !== undefined &&
      (prompt.startsWith(base + frame) || (otherFrames[dialect.name] ?? []).includes(frame)),
    oldReasoning: thinks(asked),
    moving: dialect.name in moving,
    // Answers before the last question have no tags of reasoning, also where these are empty.
    emptyReasoning: bare(dialect, whole).startsWith(bare(dialect, base)),
    // System messages stand together, at the front.
    laterSystem: conversation.messages.slice(message).some(({ role }) => role === 'system'),
  };
  expect(Object.values(why), JSON.stringify([frame, prompt.slice(-80)])).toContain(true);
  // What is masked before the text is reasoning and its tags.
  const said = conversation.messages[message];
  if (said?.role === 'assistant') checkLead(dialect, whole.slice(start, text), said);
  // What the answer says is masked as it is where nothing follows, but for what a template takes for reasoning.
  const answered = upToFirstStop(dialect, conversation, message);
  const alone = tracePrompt(dialect, answered, { ...options, generate: false });
  const own = alone.answers.at(-1);
  const behind = behindReasoning(dialect, alone.text.slice(own?.start, own?.close));
  expect(behind(whole.slice(text, close))).toBe(behind(alone.text.slice(own?.text, own?.close)));
}

describe.each(prompting)('the mask of $name', (dialect) => {
  it('has what the model writes of every conversation of the corpus', () => {
    for (const { transcript } of oneOf(5, corpusTranscripts()))
      for (const options of isFull ? optionsOf(dialect) : optionsOf(dialect).slice(0, 3))
        check(dialect, transcript.conversation, options);
  });

  it('has what the model writes of drawn conversations', () => {
    fc.assert(
      fc.property(anyTranscript, fc.constantFrom(...optionsOf(dialect)), ({ conversation }, options) =>
        check(dialect, conversation, options),
      ),
      { numRuns: isFull ? 300 : 8 },
    );
  });

  it('divides an answer into its text and its calls', () => {
    fc.assert(
      fc.property(plainTranscript, ({ conversation }) => {
        const { text: whole, answers } = tracePrompt(dialect, conversation, { generate: false });
        for (const { message, text, calls, close } of answers) {
          const said = conversation.messages[message];
          if (said?.role !== 'assistant') throw new Error('no answer');
          const nth = answers.filter((one) => one.message === message && one.text < text).length;
          const spoken = whole.slice(text, calls);
          if (nth === 0) expect(spoken).toContain(textOf(said).trim());
          else expect(spoken).toBe('');
          const made = whole.slice(calls, close);
          if (callsOf(said).length === 0) expect(made).toBe('');
          else expect(made).toContain(stretchesIn(dialect, said)[nth]);
        }
      }),
      { numRuns: isFull ? 100 : 10 },
    );
  });
});
