import { describe, expect, it } from 'vitest';
import { createConvertLine } from '../forms/convert.js';
import { RowError } from '../forms/form.js';
import { findForm, formOf } from '../forms/forms.js';
import { maskKinds, type TrainingOptions } from '../train/training.js';

type Row = Record<string, unknown>[];

const call = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{}' } });
const question = { role: 'user', content: 'Hi.' };
const called = (...calls: unknown[]) => ({ role: 'assistant', content: null, tool_calls: calls });
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
const answer = (content: string) => ({ role: 'assistant', content });

function convert(to: string, messages: Row, training?: TrainingOptions): string {
  const [form = '', dialect = ''] = to.split(':');
  const line = createConvertLine({ from: findForm('openai'), to: formOf({ form, dialect }, training) });
  const tools = ['f', 'g'].map((name) => ({ type: 'function', function: { name, parameters: {} } }));
  return line(JSON.stringify({ messages, tools })).text;
}

function refusal(...given: Parameters<typeof convert>): RowError {
  try {
    convert(...given);
  } catch (error) {
    if (error instanceof RowError) return error;
    throw error;
  }
  throw new Error('the row was converted');
}

describe('a row that a dialect cannot say', () => {
  it('is told the name of the call also where nobody reads the prompt', () => {
    const row = [question, called(call('c1', 'my f')), result('c1', 'r'), answer('ok')];
    const { path, message } = refusal('prompt:harmony', row, { mask: maskKinds });
    expect(path).toBe('messages[1]');
    expect(message).toContain('a call of "my f" may be none');
    expect(message).toContain('--rename-tools');
    row[1] = called(call('c1', 'my_f'));
    expect(convert('prompt:harmony', row, { mask: maskKinds })).toContain('functions.my_f');
  });

  it.each(['prompt:glm-4.5', 'messages:glm-4.5'])(
    'is told the name of the call in %s, and what to do',
    (to) => {
      const row = [question, called(call('c1', 'my f')), result('c1', 'r'), answer('ok')];
      const { path, message } = refusal(to, row, { mask: maskKinds });
      expect(path).toBe('messages[1]');
      expect(message).toContain('the call of "my f" would be none');
      expect(message).toContain('--rename-tools');
    },
  );

  it('is told what a message would be taken for', () => {
    const { path, message } = refusal('messages:llama3-json', [question, answer('a'), result('c9', 'r')]);
    expect(path).toBe('messages[2]');
    expect(message).toContain('this message of the role tool would be one of the role user');
  });

  it('is told nothing of places in a prompt that is not in the row', () => {
    const row = [answer('a'), question, answer('b')];
    const { path, message } = refusal('prompt:deepseek-v4', row, { perTurn: true });
    expect(path).toBe('messages');
    expect(message).toContain('a prompt of deepseek-v4 would say something else');
    expect(message).not.toMatch(/character|rendered|another template/);
  });

  it.each(['prompt:hermes', 'messages:hermes'])('is told that it has no answer in %s', (to) => {
    expect(refusal(to, [question], { perTurn: true }).message).toContain('no answer of the assistant');
    const turn = refusal(to, [question, answer('a')], { perTurn: true, train: 2 });
    expect(turn.message).toContain('--train');
  });

  it('is told to mask prompts that nobody reads', () => {
    expect(() => findForm('prompt', { dialect: 'harmony' })).toThrow('--mask');
    expect(convert('prompt:harmony', [question, answer('a')], { mask: maskKinds })).toContain('"mask"');
  });
});

describe('calls of several messages in a row', () => {
  const row = [
    question,
    called(call('c1', 'f')),
    called(call('c2', 'g')),
    result('c1', 'sunny'),
    result('c2', 'rainy'),
    answer('ok'),
  ];

  it.each(['prompt:hermes', 'messages:hermes', 'prompt:glm-4.5', 'messages:qwen3-coder'])(
    'have their results behind the last in %s',
    (to) => {
      const text = convert(to, row);
      expect(text.indexOf('sunny')).toBeGreaterThan(0);
      expect(text.indexOf('rainy')).toBeGreaterThan(text.indexOf('sunny'));
    },
  );
});
