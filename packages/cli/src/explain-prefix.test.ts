import { findDialect, renderPrompt } from '@dragoman/core';
import { expect, test } from 'vitest';
import { explainPrefix, type PrefixConversation, readWritten, showPrefix } from './explain-prefix.js';

const QUESTION = { role: 'user', content: 'Weather?' };
const AGAIN = { role: 'user', content: 'And tomorrow?' };

async function explain(name: string, messages: object[]) {
  const dialect = findDialect(name);
  const render = (part: object, generate = true) => renderPrompt(dialect, part, { generate }).text;
  const conversation = readWritten({ messages } as never, dialect, render);
  const part = (list: PrefixConversation['messages']) => ({ messages: list, tools: [] });
  return explainPrefix(conversation, async (list, generate) => render(part(list), generate));
}

test('what the model wrote stays in the prompts, to the character', async () => {
  const call = '<tool_call>{"arguments": {}, "name":"now"}</tool_call>';
  const steps = await explain('hermes', [
    QUESTION,
    { role: 'assistant', written: call },
    { role: 'tool', content: '12:00' },
    { role: 'assistant', written: 'Noon. ' },
    AGAIN,
  ]);
  expect(steps).toMatchObject([
    { turn: 1, message: 2, words: call.length },
    { turn: 2, message: 4, words: 6 },
  ]);
  for (const { prompt, words = 0, stable, broken } of steps) {
    expect(stable).toBe(prompt + words);
    expect(broken).toBeUndefined();
  }
});

test('a break names the message, the cause and both texts', async () => {
  const written = '<think>\nIt rains.\n</think>\n\nRain.';
  const [step] = await explain('hermes', [QUESTION, { role: 'assistant', written }, AGAIN]);
  expect(step?.broken).toEqual({
    message: 2,
    role: 'assistant',
    cause: 'reasoning',
    was: '<think>\nIt rains.\n</think>\n\nRain.',
    is: 'Rain.<|im_end|>\n<|im_start|>user\nAnd tom',
  });
});

test('a template that writes a finished answer otherwise than it begins one is told from other breaks', async () => {
  const [step] = await explain('glm-4.7', [QUESTION, { role: 'assistant', content: 'Rain.' }, AGAIN]);
  expect(step?.broken).toMatchObject({ message: 2, cause: 'beginning', was: 'think>' });
});

test('one prompt has nothing to be compared with', async () => {
  expect(showPrefix(await explain('hermes', [QUESTION]), String)).toEqual([
    'There is one prompt only: add an answer of the assistant and what follows it.',
  ]);
});

test('a turn that cannot be read is refused with its place', async () => {
  const cut = { role: 'assistant', written: '<tool_call>\n{"name": "now", "argu' };
  await expect(explain('hermes', [QUESTION, cut, AGAIN])).rejects.toThrow('messages[1].written: ');
});

test('a message with other calls than its words is refused; otherwise its ids stay', async () => {
  const listed = (...names: string[]) =>
    names.map((name) => ({ id: `id of ${name}`, type: 'function', function: { name, arguments: '{}' } }));
  const written = '<tool_call>{"name": "now", "arguments": {}}</tool_call>';
  const turn = (...names: string[]) => ({ role: 'assistant', written, tool_calls: listed(...names) });
  await expect(explain('hermes', [QUESTION, turn('now', 'then'), AGAIN])).rejects.toThrow('has other calls');
  const result = { role: 'tool', tool_call_id: 'id of now', content: '12:00' };
  const [step] = await explain('hermes', [QUESTION, turn('now'), result]);
  expect(step?.broken).toBeUndefined();
});
