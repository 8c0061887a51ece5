import {
  type Conversation,
  type Dialect,
  dialects,
  findDialect,
  type Message,
  type Tool,
} from '@dragoman/core/internal';
import { describe, expect, it } from 'vitest';
import { createMessagesForm } from '../text/messages-form.js';
import { createPromptForm } from '../text/prompt-form.js';
import type { ChatTemplate } from './chat-tokens.js';
import { prefixMember } from './check-prefix.js';
import type { TextTokenizer } from './training.js';
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

/** Its tokens are markers, words, and other characters. */
const tokenizer: TextTokenizer = {
  encode: (text) =>
    [...text.matchAll(/<\|?\/?\w+\|?>|\[\/?[A-Z_]+\]|\w+|./gsu)].map(([piece], at, all) => {
      const start = all[at]?.index ?? 0;
      return { id: at, start, end: start + piece.length };
    }),
  place: (_, position) => position,
};

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
    expect(prefixMember(samples, undefined, undefined)).toMatchObject({
      whole: false,
      breaks: [
        { turn: 1, rule: 'old-reasoning' },
        { turn: 2, rule: 'answer-start' },
      ],
    });
  });

  const same = 'I count as far as it takes, and say the number: ';
  const thoughts: [string, string, string][] = [
    ['that the answer repeats', 'One.', 'Two.'],
    ['that begins as the next one', `${same}one.`, `${same}two.`],
    ['with a closer', 'I write </think> and go on.', 'I do not.'],
    ['of one letter', 'O', 'T'],
  ];
  describe.each(thoughts)('names a thought %s by its place', (_, first, second) => {
    const messages = [user('One?'), answer('One.', first), user('Two?'), answer('Two.', second)];
    const conversation: Conversation = { messages, tools: [], toolChoice: 'auto' };

    it.each(['hermes', 'glm-4.7', 'deepseek-v3.1', 'nemotron', 'harmony', 'minimax-m2', 'kimi-k2'])(
      'in a prompt of %s',
      (dialect) => {
        const samples = promptSamples(findDialect(dialect), conversation, { thinking: true });
        expect(prefixMember(samples, undefined, undefined).breaks).toMatchObject([
          { turn: 1, rule: 'old-reasoning' },
        ]);
      },
    );

    it('in a call of gpt-oss, which the whole row has without it', () => {
      const call: Message = {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: first },
          { type: 'tool-call', id: 'c1', name: 'count', input: {} },
        ],
      };
      const result: Message = {
        role: 'tool',
        parts: [{ type: 'tool-result', callId: 'c1', name: 'count', output: '1' }],
      };
      const form = createPromptForm(findDialect('harmony'), { training: { checkPrefix: true } });
      const written = form.write({
        conversation: { ...conversation, messages: [user('One?'), call, result, answer('One.', second)] },
        rest: [],
      });
      expect(written.row).toMatchObject({ prefix: { breaks: [{ turn: 2, rule: 'old-reasoning' }] } });
    });

    it('in messages of a chat template', () => {
      const form = createMessagesForm(hermes, { training: { checkPrefix: true, chat } });
      expect(form.write({ conversation, rest: [] }).row).toMatchObject({
        prefix: { breaks: [{ turn: 1, rule: 'old-reasoning' }] },
      });
    });
  });

  it.each(['seed-oss', 'kimi-k3', 'mistral'])('finds no break in %s, which keeps reasoning', (dialect) => {
    const messages = [user('One?'), answer('One.', 'O'), user('Two?'), answer('Two.', 'T')];
    const samples = promptSamples(
      findDialect(dialect),
      { messages, tools: [], toolChoice: 'auto' },
      { thinking: true },
    );
    expect(prefixMember(samples, undefined, undefined)).toEqual({ whole: true, breaks: [] });
  });

  it('does not name reasoning that stands behind an earlier difference', () => {
    const messages = [user('One?'), answer('One.', 'I count.'), user('Two?'), answer('Two.')];
    const tools = [{ name: 'count', parameters: { type: 'object', properties: {} } }];
    const samples = promptSamples(
      findDialect('mistral'),
      { messages, tools, toolChoice: 'auto' },
      { model: 'mistral-small-3.2', thinking: true },
    );
    expect(prefixMember(samples, undefined, undefined).breaks).toMatchObject([
      { turn: 1, rule: 'earlier-text' },
    ]);
  });

  describe('names the rule, and counts the tokens behind the first difference', () => {
    const system: Message = { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] };
    const questions = [user('One?'), answer('One.'), user('Two?'), answer('Two.')];
    const weather = { name: 'get_weather', parameters: { type: 'object', properties: {} } };
    const prefixOf = (dialect: string, messages: Message[], tools: Tool[], model?: string) => {
      const conversation: Conversation = { messages, tools, toolChoice: 'auto' };
      const samples = promptSamples(findDialect(dialect), conversation, model === undefined ? {} : { model });
      return prefixMember(samples, undefined, tokenizer);
    };

    it.each([
      // <|flush|> and <|return|> become <|end|>: one token, of which `<|` is the same.
      ['solar-open', 7],
      ['harmony', 8],
    ])('where %s ends an old answer otherwise', (dialect, characters) => {
      expect(prefixOf(dialect, questions, [])).toEqual({
        whole: false,
        breaks: [{ turn: 1, rule: 'end-token', characters, tokens: 1 }],
      });
    });

    it.each(['glm-4.5', 'glm-4.7'])('where %s stopped for a turn that does not follow', (dialect) => {
      const breaksOf = (messages: Message[]) => {
        const conversation: Conversation = { messages, tools: [], toolChoice: 'auto' };
        const samples = promptSamples(findDialect(dialect), conversation, { thinking: false });
        return prefixMember(samples, undefined, undefined).breaks;
      };
      const interrupted = [...questions.slice(0, 2), system, ...questions.slice(2)];
      expect(breaksOf(interrupted)).toMatchObject([{ turn: 1, rule: 'end-token' }]);
      expect(breaksOf(questions)).toEqual([]);
    });

    it('where tools move along to the last question, as in Mistral Small 3.2', () => {
      // All of the first prompt and its answer but `<s>[`.
      expect(prefixOf('mistral', questions, [weather], 'mistral-small-3.2')).toEqual({
        whole: false,
        breaks: [{ turn: 1, rule: 'earlier-text', characters: 170, tokens: 64 }],
      });
      expect(prefixOf('mistral', questions, [], 'mistral-small-3.2')).toEqual({ whole: true, breaks: [] });
    });

    it('where a later system text goes to the beginning, as in DeepSeek V3.1', () => {
      const messages = [...questions.slice(0, 2), system, ...questions.slice(2)];
      expect(prefixOf('deepseek-v3.1', messages, [weather])).toMatchObject({
        breaks: [{ turn: 1, rule: 'earlier-text' }],
      });
    });
  });

  describe('compares the last answer with the whole row', () => {
    const written = (dialect: string, messages: Message[], render = {}) => {
      const form = createPromptForm(findDialect(dialect), { render, training: { checkPrefix: true } });
      const conversation: Conversation = { messages, tools: [], toolChoice: 'auto' };
      return (form.write({ conversation, rest: [] }).row as { prefix?: unknown }).prefix;
    };

    it.each(['glm-4.7', 'nemotron', 'minimax-m2'])(
      'where %s begins it otherwise than its prompt',
      (dialect) => {
        const messages = [user('One?'), answer('One.')];
        expect(written(dialect, messages, { thinking: true })).toMatchObject({
          whole: false,
          breaks: [{ turn: 1, rule: 'answer-start' }],
        });
      },
    );

    it('which is the same without reasoning that the prompt does not ask for', () => {
      for (const dialect of ['glm-4.5', 'glm-4.7', 'hermes'])
        expect(written(dialect, [user('One?'), answer('One.')])).toEqual({ whole: true, breaks: [] });
    });

    it('where gpt-oss leaves out the reasoning before calls, once there is an answer', () => {
      const call: Message = {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'I count.' },
          { type: 'tool-call', id: 'c1', name: 'count', input: {} },
        ],
      };
      const result: Message = {
        role: 'tool',
        parts: [{ type: 'tool-result', callId: 'c1', name: 'count', output: '1' }],
      };
      expect(written('harmony', [user('One?'), call, result, answer('One.')])).toMatchObject({
        whole: false,
        breaks: [{ turn: 2, rule: 'old-reasoning' }],
      });
    });
  });

  it('names a break in the last words of a prompt by what is there', () => {
    const prompt = 'user: Hi.<end>assistant: ';
    const close = prompt.length + 1;
    const sample = {
      turn: 1,
      first: 1,
      end: 2,
      prompt,
      head: () => 'assistant: ',
      completion: 'b<end>',
      answers: [
        {
          message: 1,
          start: prompt.length,
          thinks: false,
          text: prompt.length,
          calls: close,
          close,
          end: close + 5,
        },
      ],
      begunOtherwise: false,
    };
    const ruleOf = (next: string) => prefixMember([sample], next, undefined).breaks[0]?.rule;
    expect(ruleOf('user: Ha.<end>assistant: b<end>')).toBe('earlier-text');
    expect(ruleOf('user: Hi.<end>assistant, b<end>')).toBe('answer-start');
    expect(ruleOf('user: Hi.<end>assistant: b</s>')).toBe('end-token');
  });

  it('counts code points', () => {
    const sample = { turn: 1, first: 1, end: 2, head: () => '', answers: [], begunOtherwise: false };
    const characters = (completion: string, next: string) =>
      prefixMember([{ ...sample, prompt: 'a', completion }], next, undefined).breaks;
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
