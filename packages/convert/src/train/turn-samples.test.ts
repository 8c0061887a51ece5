import { acceptConversation, type Dialect, dialects, tracePrompt } from '@dragoman/core/internal';
import { describe, expect, it } from 'vitest';
import { createPromptForm } from '../text/prompt-form.js';
import { readyForPrompt } from '../text/ready-text.js';
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

describe('samples of turns', () => {
  const whole = dialects.filter(({ render }) => render.prompt);
  /** The dialects and turns whose template writes no reasoning. */
  const without: string[] = [];
  it.each(whole.map((dialect) => [dialect.name, dialect] as const))(
    'of %s keep the reasoning of each answer that the template writes',
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
        if (!prompt.includes(text)) {
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
    const bare = [
      'deepseek-v3.1',
      'qwen3-coder',
      'granite',
      'nemotron',
      'apertus',
      'minimax-m1',
      'functionary-v3.2',
    ];
    expect(without).toEqual(bare.flatMap((name) => [`${name} 1`, `${name} 2`]));
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
});
