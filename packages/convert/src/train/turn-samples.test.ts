import { parse } from '@dragoman/core';
import {
  acceptConversation,
  type Dialect,
  dialects,
  findDialect,
  type Message,
  tracePrompt,
} from '@dragoman/core/internal';
import { describe, expect, it } from 'vitest';
import { anthropicForm, openaiForm } from '../forms/api-form.js';
import { createMessagesForm } from '../text/messages-form.js';
import { createPromptForm } from '../text/prompt-form.js';
import { readyForPrompt } from '../text/ready-text.js';
import { maskKinds, type TrainingOptions } from './training.js';
import { promptSamples } from './turn-samples.js';

/** As an agent writes it: reasoning before the call, and before the answer. */
const conversation = acceptConversation({
  messages: [
    { role: 'user', parts: [{ type: 'text', text: 'Is it warm in Oslo?' }] },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'I look it up.' },
        { type: 'tool-call', id: 'call_1', name: 'get_weather', input: { city: 'Oslo' } },
      ],
    },
    {
      role: 'tool',
      parts: [{ type: 'tool-result', id: 'call_1', name: 'get_weather', content: '21 degrees' }],
    },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'Twenty-one is warm.' },
        { type: 'text', text: 'It is.' },
      ],
    },
  ],
  tools: [
    {
      name: 'get_weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  ],
  toolChoice: 'auto',
});

type Range = { kind: string; start: number; end: number };

/** The dialects whose templates write no reasoning, and whose prompts open none. */
const bare = ['qwen3-coder', 'granite', 'apertus', 'minimax-m1', 'functionary-v3.2'];

describe('samples of turns', () => {
  const whole = dialects.filter(({ render }) => render.prompt);
  /** The dialects and turns whose samples have no reasoning. */
  const without: string[] = [];
  it.each(whole.map((dialect) => [dialect.name, dialect] as const))(
    'of %s keep the reasoning of each answer that the template writes or the prompt opens',
    (_, dialect) => {
      const options = { thinking: true };
      const ready = readyForPrompt(dialect, conversation);
      for (const [at, text] of [
        [0, 'I look it up.'],
        [1, 'Twenty-one is warm.'],
      ] as const) {
        const asked = { ...ready, messages: ready.messages.slice(0, at === 0 ? 2 : 4) };
        const { text: prompt } = tracePrompt(dialect, asked, { ...options, generate: false });
        const { completion, answers, begunOtherwise } = promptSamples(dialect, ready, options)[at] ?? {};
        if (!prompt.includes(text) && !completion?.includes(text)) {
          without.push(`${dialect.name} ${at + 1}`);
          continue;
        }
        expect(completion).toContain(text);
        expect(begunOtherwise).toBe(false);
        expect(answers?.[0]?.text).toBeGreaterThan(answers?.[0]?.start ?? 0);
      }
    },
  );

  it('are without it where the template is', () => {
    // Behind results, a prompt of DeepSeek V3.1 begins no answer.
    expect(without).toEqual(['deepseek-v3.1 2', ...bare.flatMap((name) => [`${name} 1`, `${name} 2`])]);
  });

  const rowsIn = (name: string, training: TrainingOptions, given = conversation) => {
    const {
      row,
      more = [],
      notes,
    } = createPromptForm(findDialect(name), { training }).write({
      conversation: given,
      rest: [],
    });
    const rows = [row, ...more] as unknown as { prompt: string; completion: string; mask: Range[] }[];
    return { rows, notes };
  };

  it.each([
    ['deepseek-v3.1', '<｜Assistant｜><think>', 'I look it up.</think><｜tool▁calls▁begin｜>'],
    ['nemotron', '<SPECIAL_11>Assistant\n<think>\n', 'I look it up.</think><TOOLCALL>'],
  ])('of %s have the reasoning that the template leaves out of answers', (name, head, begin) => {
    const { rows, notes } = rowsIn(name, { perTurn: true, mask: maskKinds });
    const { prompt = '', completion = '', mask = [] } = rows[0] ?? {};
    expect(prompt.endsWith(head)).toBe(true);
    expect(completion.startsWith(begin)).toBe(true);
    const text = [...(prompt + completion)];
    const thought = mask.find(({ kind }) => kind === 'reasoning');
    expect(text.slice(thought?.start, thought?.end).join('')).toBe('I look it up.</think>');
    expect(notes.filter(({ code }) => code === 'begun-otherwise')).toEqual([]);
  });

  it('write such reasoning as a parser reads it', () => {
    const thought = 'Not </think> nor <SPECIAL_11>.';
    const messages: Message[] = [
      { role: 'user', parts: [{ type: 'text', text: 'Q' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: thought },
          { type: 'text', text: 'A' },
        ],
      },
    ];
    const { rows } = rowsIn('nemotron', { perTurn: true }, { messages, tools: [], toolChoice: 'auto' });
    const { completion = '' } = rows[0] ?? {};
    expect(completion.split('</think>')).toHaveLength(2);
    const read = parse(findDialect('nemotron'), completion, { thinking: true });
    expect([read.reasoning.replaceAll('\\', ''), read.text.trim()]).toEqual([thought, 'A']);
  });

  it.each(bare)('of %s do not ask for reasoning that they cannot have, and count it as lost', (name) => {
    for (const training of [{ perTurn: true }, { mask: maskKinds }]) {
      const { rows, notes } = rowsIn(name, training);
      const plain = createPromptForm(findDialect(name), { training, render: { thinking: false } });
      expect(rows[0]).toEqual(plain.write({ conversation, rest: [] }).row);
      const lost = notes.filter(({ code }) => code === 'reasoning').map(({ path }) => path);
      expect(lost).toEqual(['messages[1].parts[0]', 'messages[3].parts[0]']);
    }
  });

  it('count the reasoning as lost that a whole prompt leaves out', () => {
    const lostIn = (name: string, training: TrainingOptions) =>
      rowsIn(name, training).notes.filter(({ code }) => code === 'reasoning').length;
    expect(lostIn('nemotron', { mask: maskKinds })).toBe(2);
    expect(lostIn('nemotron', { perTurn: true })).toBe(0);
    // gpt-oss leaves out the reasoning before the call.
    expect(lostIn('harmony', { mask: maskKinds })).toBe(1);
    expect(lostIn('harmony', { perTurn: true })).toBe(0);
  });

  it('of a template without reasoning count it as lost', () => {
    const lossesIn = (name: string) => {
      const dialect = dialects.find((one) => one.name === name) as Dialect;
      const form = createPromptForm(dialect, { training: { perTurn: true } });
      const { notes } = form.write({ conversation, rest: [] });
      return notes.flatMap(({ code, path }) => (code === 'reasoning' ? [path] : []));
    };
    expect(lossesIn('qwen3-coder')).toEqual(['messages[1].parts[0]', 'messages[3].parts[0]']);
    expect(lossesIn('hermes')).toEqual([]);
  });

  describe('end where the model stops', () => {
    const say = (role: 'user' | 'assistant', text: string): Message => ({
      role,
      parts: [{ type: 'text', text }],
    });
    const rowsOf = (name: string, messages: Message[], training: TrainingOptions = {}) => {
      const tools = [{ name: 'f', parameters: { type: 'object', properties: {} } }];
      const form = createPromptForm(findDialect(name), { training: { perTurn: true, ...training } });
      const { row, more = [] } = form.write({
        conversation: { messages, tools, toolChoice: 'auto' },
        rest: [],
      });
      return [row, ...more] as unknown as {
        prompt: string;
        completion: string;
        turn: number;
        mask?: Range[];
      }[];
    };
    const run = [say('user', 'Q'), say('assistant', 'One.'), say('assistant', 'Two.')];

    it('in each of several messages in a row, which have one turn', () => {
      const rows = rowsOf('hermes', [...run, say('user', 'R'), say('assistant', 'Three.')]);
      expect(rows.map(({ completion, turn }) => [turn, completion])).toEqual([
        [1, 'One.<|im_end|>'],
        [1, 'Two.<|im_end|>'],
        [2, 'Three.<|im_end|>'],
      ]);
      expect(rows[1]?.prompt).toMatch(
        /One\.<\|im_end\|>\n<\|im_start\|>assistant\n<think>\n\n<\/think>\n\n$/,
      );
      expect(rowsOf('hermes', run, { train: 'last' })).toHaveLength(2);
      expect(() => rowsOf('hermes', run, { train: 2 })).toThrow('no answer of the assistant');
    });

    it.each([
      ['gemma4', 'One.Two.<turn|>'],
      ['apertus', 'One.Two.<|assistant_end|>'],
    ])('but once where the template of %s joins them', (dialect, completion) => {
      expect(rowsOf(dialect, run)).toMatchObject([{ turn: 1, completion }]);
    });

    it.each([
      ['gemma4', ['<|tool_call>call:f{n:1}<tool_call|><|tool_response>', 'Two.<turn|>']],
      ['apertus', ['<|tools_prefix|>[{"f": {"n": 1}}]<|tools_suffix|>', 'Two.<|assistant_end|>']],
    ])('and behind calls where the template of %s joins messages', (dialect, completions) => {
      const call: Message = {
        role: 'assistant',
        parts: [{ type: 'tool-call', id: 'c1', name: 'f', input: { n: 1 } }],
      };
      const rows = rowsOf(dialect, [say('user', 'Q'), call, say('assistant', 'Two.')]);
      expect(rows.map(({ completion }) => completion)).toEqual(completions);
    });

    it('behind each call of gpt-oss, in samples and in the mask of a whole row', () => {
      const calls: Message = {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Both.' },
          { type: 'tool-call', id: 'c1', name: 'f', input: { n: 1 } },
          { type: 'tool-call', id: 'c2', name: 'f', input: { n: 2 } },
        ],
      };
      const call = (n: number) => ` to=functions.f<|channel|>commentary json<|message|>{"n": ${n}}<|call|>`;
      const first = `<|channel|>analysis<|message|>Both.<|end|><|start|>assistant${call(1)}`;
      const rows = rowsOf('harmony', [say('user', 'Q'), calls]);
      expect(rows.map(({ completion, turn }) => [turn, completion])).toEqual([
        [1, first],
        [1, call(2)],
      ]);
      expect(rows[1]?.prompt).toBe(`${rows[0]?.prompt}${first}<|start|>assistant`);
      const [whole] = rowsOf('harmony', [say('user', 'Q'), calls], { perTurn: false, mask: maskKinds });
      const learnt = whole?.mask?.map(({ kind, start, end }) => [kind, whole.prompt.slice(start, end)]);
      expect(learnt).toEqual([
        ['reasoning', '<|channel|>analysis<|message|>Both.<|end|><|start|>assistant'],
        ['calls', call(1).slice(0, -8)],
        ['end', '<|call|>'],
        ['calls', call(2).slice(0, -8)],
        ['end', '<|call|>'],
      ]);
    });

    it('with calls of muse that begin with their space, also behind reasoning', () => {
      const call: Message = {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'One.' },
          { type: 'tool-call', id: 'c1', name: 'f', input: { n: 1 } },
        ],
      };
      const [row] = rowsOf('muse', [say('user', 'Q'), call], { mask: maskKinds });
      const learnt = row?.mask?.map(({ kind, start, end }) => [
        kind,
        (row.prompt + row.completion).slice(start, end),
      ]);
      expect(learnt?.slice(0, 2)).toEqual([
        ['reasoning', ' to=self<|message|>One.<|eom|><|start|>assistant'],
        ['calls', expect.stringMatching(/^ to=f<\|message\|>/)],
      ]);
    });

    it.each(['hermes', 'glm-4.5', 'glm-4.7', 'laguna'])(
      'with a closer of reasoning in the text as a whole row of %s has it',
      (dialect) => {
        const messages = [say('user', 'Q'), say('assistant', 'Write </think> behind it.')];
        const text = 'Write <\\/think> behind it.';
        expect(rowsOf(dialect, messages)[0]?.completion).toContain(text);
        expect(rowsOf(dialect, messages, { perTurn: false })[0]?.prompt).toContain(text);
      },
    );

    it.each(['glm-4.5', 'glm-4.7'])(
      'but not an empty last answer of %s, which no prompt shows',
      (dialect) => {
        const messages = [say('user', 'Q'), say('assistant', '')];
        expect(() => rowsOf(dialect, messages)).toThrow(
          'an empty answer at the end cannot be told from a prompt',
        );
        expect(rowsOf(dialect, [...messages, say('user', 'R')])).toMatchObject([{ completion: '<|user|>' }]);
      },
    );

    it('with the empty reasoning of an empty answer of GLM-4.5', () => {
      const messages = [say('user', 'Q'), say('assistant', '')];
      const form = createPromptForm(findDialect('glm-4.5'), {
        render: { thinking: true },
        training: { mask: maskKinds },
      });
      const { row } = form.write({ conversation: { messages, tools: [], toolChoice: 'auto' }, rest: [] });
      expect(row).toMatchObject({
        prompt: '[gMASK]<sop><|user|>\nQ<|assistant|>\n<think></think><|user|>',
        mask: [{ kind: 'reasoning' }, { kind: 'end' }],
      });
    });
  });
});

describe('samples of rows that choose tools', () => {
  const hermes = findDialect('hermes');
  const training: TrainingOptions = { perTurn: true };
  const forms = {
    prompt: createPromptForm(hermes, { training }),
    messages: createMessagesForm(hermes, { training }),
  };
  const row = {
    messages: [
      { role: 'user', content: 'Is it warm in Oslo?' },
      { role: 'assistant', content: 'It is.' },
    ],
    tools: [{ type: 'function', function: { name: 'get_weather' } }],
  };
  const lost = (given: object, name: keyof typeof forms, source = openaiForm) =>
    forms[name]
      .write(source.read({ ...row, ...given }))
      .notes.filter(({ code }) => code === 'tool-choice')
      .map(({ path }) => path);
  const named = { type: 'function', function: { name: 'get_weather' } };
  const names = ['prompt', 'messages'] as const;

  it.each(names)('report a choice that the gateway would say in the prompt, as %s', (name) => {
    expect(lost({ tool_choice: 'required' }, name)).toEqual(['toolChoice']);
    expect(lost({ tool_choice: named }, name)).toEqual(['toolChoice']);
    expect(lost({ parallel_tool_calls: false }, name)).toEqual(['parallel_tool_calls']);
    const single = { tool_choice: { type: 'auto', disable_parallel_tool_use: true } };
    expect(lost(single, name, anthropicForm)).toEqual(['toolChoice']);
  });

  it.each(names)('report none where the gateway says nothing, as %s', (name) => {
    for (const given of [
      {},
      { tool_choice: 'auto' },
      { parallel_tool_calls: true },
      { parallel_tool_calls: null },
    ])
      expect(lost(given, name), JSON.stringify(given)).toEqual([]);
    expect(lost({ tools: [], parallel_tool_calls: false }, name)).toEqual([]);
  });

  it('of one call at a time are as many as without, with the same prompt', () => {
    const written = (given: object) => forms.prompt.write(openaiForm.read({ ...row, ...given })).row;
    expect(written({ parallel_tool_calls: false })).toEqual({ ...written({}), parallel_tool_calls: false });
  });

  it('say nothing of it in a whole row, which is no request', () => {
    const form = createPromptForm(hermes, { training: { mask: maskKinds } });
    const { notes } = form.write(openaiForm.read({ ...row, parallel_tool_calls: false }));
    expect(notes.filter(({ code }) => code === 'tool-choice')).toEqual([]);
  });
});
