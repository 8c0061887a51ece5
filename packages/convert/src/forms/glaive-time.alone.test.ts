import { describe, expect, it } from 'vitest';
import { glaiveForm } from './glaive-form.js';
import { growth, LINEAR } from './published.fixture.js';

const lead =
  'SYSTEM: You are a helpful assistant with access to the following functions. Use them if required -\n';
const fn = (name: string) =>
  `{\n    "name": "${name}",\n    "description": "Does it.",\n    "parameters": {}\n}\n`;

describe('time', () => {
  const say = (text: string) => {
    const messages = [{ role: 'assistant' as const, parts: [{ type: 'text' as const, text }] }];
    glaiveForm.write({ conversation: { messages, tools: [], toolChoice: 'auto' }, rest: [] });
  };

  it.each([
    ['turns', (n: number) => 'USER: a\n\n\n'.repeat(n)],
    ['line breaks', (n: number) => `USER: ${'\n'.repeat(n)}`],
    ['calls', (n: number) => `ASSISTANT: ${'<functioncall> {"name": "f"\n'.repeat(n)}`],
    ['quotes', (n: number) => `ASSISTANT: <functioncall> {"name": "f", "arguments": '${"'".repeat(n)}`],
    ['broken frames', (n: number) => `USER: \n${'\\'.repeat(n)}\nUSER:`],
  ])('grows with the length of %s', (_, flood) => {
    expect(growth((chat) => glaiveForm.read({ system: '', chat }), flood)).toBeLessThan(LINEAR);
    expect(growth(say, flood)).toBeLessThan(LINEAR);
  });

  it('grows with the number of functions', () => {
    const cost = growth(
      (functions) => glaiveForm.read({ system: lead + functions, chat: '' }),
      (n) => fn('f').repeat(n / 4),
    );
    expect(cost).toBeLessThan(LINEAR);
  });
});
