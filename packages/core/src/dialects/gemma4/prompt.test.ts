import { expect, test } from 'vitest';
import { readTurn } from '../../engine/read-turn.js';
import { renderPrompt } from '../../engine/renderer.js';
import { gemma4 } from './gemma4.js';

const tools = [{ name: 'now' }];
const asked = [
  { role: 'user', content: 'Time?' },
  {
    role: 'assistant',
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'now', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'a', content: '10:00' },
];
const promptOf = (messages: unknown[], options = {}) =>
  renderPrompt(gemma4, { messages, tools }, options).text;

test('behind results a prompt with thinking ends inside a thought, and the next one goes on from there', () => {
  const prompt = promptOf(asked, { thinking: true });
  expect(prompt.endsWith('<tool_response|><|channel>thought\n')).toBe(true);
  const words = 'Once more.\n<channel|><|tool_call>call:now{}<tool_call|>';
  const { message } = readTurn(gemma4, words, { tools, thinking: true });
  const [thought, call] = message.parts;
  if (call?.type !== 'tool-call') throw new Error('no call');
  expect(thought).toMatchObject({ type: 'reasoning', text: 'Once more.' });
  const next = [...asked, message, { role: 'tool', tool_call_id: call.id, content: '10:01' }];
  expect(promptOf(next, { thinking: true }).startsWith(prompt + words)).toBe(true);
});

test('without thinking, or by the first template, it ends behind the results', () => {
  for (const options of [{}, { thinking: true, model: 'gemma-4-first' }])
    expect(promptOf(asked, options).endsWith('<tool_response|>')).toBe(true);
});

test('a question behind results ends their turn', () => {
  const again = [...asked, { role: 'user', content: 'Well?' }];
  expect(promptOf(again)).toContain('<tool_response|><turn|>\n<|turn>user\nWell?');
});
