import { describe, expect, it } from 'vitest';
import { growth, LINEAR, show } from './published.fixture.js';
import { sharegptForm } from './sharegpt-form.js';

const turn = (from: string, value: unknown, more: object = {}) => ({ from, value, ...more }) as never;
const rowOf = (...conversations: never[]) => ({ conversations });
const read = (...conversations: never[]) => show(sharegptForm, rowOf(...conversations));

describe('time', () => {
  const say = (text: string) => {
    const parts = [{ type: 'text' as const, text }];
    const result = { type: 'tool-result' as const, callId: 'call_1', output: text };
    const messages = [
      { role: 'assistant' as const, parts },
      { role: 'tool' as const, parts: [result] },
    ];
    sharegptForm.write({ conversation: { messages, tools: [], toolChoice: 'auto' }, rest: [] });
  };

  it.each([
    ['tags', (n: number) => '<tool_call>'.repeat(n)],
    ['pairs of tags', (n: number) => '<tool_call></tool_call>'.repeat(n)],
    ['results', (n: number) => '<tool_response></tool_response>'.repeat(n)],
    ['white space', (n: number) => `${' '.repeat(n)}<tool_response>`.repeat(3)],
    ['objects', (n: number) => `[${'{"name": "f"},'.repeat(n)}]`],
  ])('grows with the length of %s', (_, flood) => {
    const readAll = (text: string) =>
      read(turn('gpt', text), turn('function_call', text), turn('tool', text));
    expect(growth(readAll, flood)).toBeLessThan(LINEAR);
    expect(growth(say, flood)).toBeLessThan(LINEAR);
  });
});
