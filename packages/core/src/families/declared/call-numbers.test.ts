import { expect, test } from 'vitest';
import { kimiK2, mistral } from '../../dialects/index.js';
import { readTurn } from '../../engine/read-turn.js';
import { renderPrompt } from '../../engine/renderer.js';

const question = { role: 'user', content: 'Time?' };
const asks = (id: string) => ({
  role: 'assistant',
  tool_calls: [{ id, type: 'function', function: { name: 'now', arguments: '{}' } }],
});
const answers = (id: string) => ({ role: 'tool', tool_call_id: id, content: '10:00' });

const numbersIn = (text: string) => [...text.matchAll(/now:(\d+)/g)].map(([, number]) => Number(number));

test.each([
  ['kimi-k2', [0, 0, 0, 0]],
  ['kimi-k2-instruct', [0, 0, 1, 1]],
])('%s counts calls, and their results alike', (model, numbers) => {
  const messages = [question, asks('a'), answers('a'), asks('b'), answers('b')];
  expect(numbersIn(renderPrompt(kimiK2, { messages }, { model }).text)).toEqual(numbers);
});

test('a number in the id of a call stays, and the count goes on from it', () => {
  const messages = [
    question,
    asks('functions.now:4'),
    answers('functions.now:4'),
    asks('now:no'),
    answers('now:no'),
  ];
  const { text } = renderPrompt(kimiK2, { messages }, { model: 'kimi-k2-thinking' });
  expect(numbersIn(text)).toEqual([4, 4, 5, 5]);
});

test('the result of a call has the number that the model wrote', () => {
  const written =
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.now:7<|tool_call_argument_begin|>{}' +
    '<|tool_call_end|><|tool_calls_section_end|>';
  const { message } = readTurn(kimiK2, written, { tools: [{ name: 'now' }] });
  const [call] = message.parts;
  if (call?.type !== 'tool-call') throw new Error('no call');
  for (const model of ['kimi-k2', 'kimi-k2-instruct']) {
    const { text } = renderPrompt(kimiK2, { messages: [question, message, answers(call.id)] }, { model });
    expect(numbersIn(text)).toEqual([7, 7]);
  }
});

test.each([
  ['aB3xY7kQ2', 'aB3xY7kQ2'],
  ['call_1', '0000call1'],
  ['chatcmpl-tool-0123456789', '123456789'],
  ['[TOOL_CALLS]', 'TOOLCALLS'],
])('Mistral Small 3.2 gets the id %s as %s, in a call and in its result', (id, written) => {
  const { text } = renderPrompt(
    mistral,
    { messages: [question, asks(id), answers(id)] },
    { model: 'Mistral-Small-3.2-24B-Instruct-2506' },
  );
  expect(text).toContain(`now[CALL_ID]${written}[ARGS]{}`);
  expect(text).toContain(`[TOOL_RESULTS]${written}[TOOL_CONTENT]10:00[/TOOL_RESULTS]`);
});
