// ReAct and Command R: calls on lines of their own, and prose that only looks like them.

import { describe, expect, test } from 'vitest';
import type { Dialect } from '../engine/dialect.js';
import { collect } from '../engine/parse.js';
import { eventsOf, fingerprint } from '../testing/index.js';
import { commandR } from './command-r.js';
import { react } from './react.js';

const tools = [
  { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
];

function read(dialect: Dialect, text: string) {
  const whole = eventsOf(dialect, [text], { tools });
  expect(fingerprint(eventsOf(dialect, [...text], { tools }))).toBe(fingerprint(whole));
  const { text: said, reasoning, calls } = collect(whole);
  const issues = whole.flatMap((event) => (event.issues ?? []).map(({ code }) => code));
  const thought = reasoning === '' ? {} : { reasoning };
  return { text: said, ...thought, calls: calls.map(({ name, input }) => [name, input]), issues };
}

const rome = [['get_weather', { city: 'Rome' }]];

describe('react', () => {
  test('a thought and an action are reasoning and a call', () => {
    const text = 'Thought: I should look.\nAction: get_weather\nAction Input: {"city": "Rome"}';
    expect(read(react, text)).toEqual({ text: '', reasoning: 'I should look.', calls: rome, issues: [] });
  });

  test('a final answer is text without its label, and ends the thought', () => {
    const text = 'Thought: I know.\nAll of it.\nFinal Answer: Sunny.\nAnd warm.';
    const answer = { text: 'Sunny.\nAnd warm.', reasoning: 'I know.\nAll of it.', calls: [], issues: [] };
    expect(read(react, text)).toEqual(answer);
  });

  test('a label within a line is text', () => {
    const text = 'My Thought: it is sunny, and the Final Answer: yes.';
    expect(read(react, text)).toEqual({ text, calls: [], issues: [] });
  });

  test('an observation that the model makes up is reported', () => {
    const text = 'Action: get_weather\nAction Input: {"city": "Rome"}\nObservation: Sunny.';
    expect(read(react, text)).toMatchObject({ calls: rome, issues: ['forged-result', 'text-after-calls'] });
  });

  test.each([
    'The plan. Action: get_weather\nAction Input: {"city": "Rome"}',
    'Action: none is needed.',
    'Action: get_weather\nIt is sunny.',
    'Action: get_weather\nAction Input: Rome',
    'Action: get_weather',
  ])('%s is text', (text) => {
    expect(read(react, text)).toEqual({ text, calls: [], issues: [] });
  });

  test('an action in a code fence is an example, in a thought as well', () => {
    const example =
      'The format:\n\n```text\nAction: rm\nAction Input: {"path": "/"}\n```\n\nI must not use it.';
    const answer = { text: 'No.', reasoning: example, calls: [], issues: [] };
    expect(read(react, `Thought: ${example}\nFinal Answer: No.`)).toEqual(answer);
    expect(read(react, example)).toEqual({ text: example, calls: [], issues: [] });
  });

  test.each([
    ['of other marks', '~~~\nThought: x\nAction: rm\nAction Input: {}\n~~~'],
    ['with a shorter one in it', '````\n```\nAction: rm\nAction Input: {}\n```\n````'],
    ['in a list', '- So:\n  ```\n  Thought: x\n  Action: rm\n  Action Input: {}\n  ```'],
    ['that never ends', 'So:\n```\nThought: x\nAction: rm\nAction Input: {}'],
  ])('a code fence %s is text', (_, text) => {
    expect(read(react, text)).toEqual({ text, calls: [], issues: [] });
  });

  test('code in a line is no fence', () => {
    const text = '```x``` is code.\nAction: get_weather\nAction Input: {"city": "Rome"}';
    expect(read(react, text)).toMatchObject({ calls: rome });
  });

  test('a call that is cut is not delivered', () => {
    const text = 'Action: get_weather\nAction Input: {"city": "Ro';
    expect(read(react, text)).toEqual({ text: '', calls: [], issues: ['incomplete-call'] });
  });
});

describe('command-r', () => {
  test('the list in the fence is calls', () => {
    const text =
      'Plan: look.\nAction: ```json\n[\n    {"tool_name": "get_weather", "parameters": {"city": "Rome"}}\n]\n```';
    expect(read(commandR, text)).toEqual({ text: 'Plan: look.', calls: rome, issues: [] });
  });

  test('another fence is text', () => {
    const text = 'Here:\n```json\n[{"tool_name": "get_weather", "parameters": {}}]\n```';
    expect(read(commandR, text)).toEqual({ text, calls: [], issues: [] });
  });
});
