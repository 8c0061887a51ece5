import { describe, expect, it } from 'vitest';
import { growth, LINEAR, show } from './published.fixture.js';
import { toolaceForm } from './toolace-form.js';

const turn = (from: string, value: unknown) => ({ from, value }) as never;
const read = (...conversations: never[]) => show(toolaceForm, { system: '', conversations });
const answer = (value: string) => read(turn('assistant', value));

describe('time', () => {
  const say = (text: string) => {
    const messages = [{ role: 'assistant' as const, parts: [{ type: 'text' as const, text }] }];
    toolaceForm.write({ conversation: { messages, tools: [], toolChoice: 'auto' }, rest: [] });
  };

  it.each([
    ['lists that are none', (n: number) => '[f(a=\n'.repeat(n)],
    ['open strings', (n: number) => '[f(a="\n[f(a=\'\n'.repeat(n)],
    ['brackets', (n: number) => `[f(a=${'['.repeat(n)}`],
    ['arguments', (n: number) => `[f(${'a=1,'.repeat(n)}b=2)]`],
    ['calls', (n: number) => `[${'f(),'.repeat(n)}f()]`],
    ['broken frames', (n: number) => `[${'\\'.repeat(n)}f(`],
    ['white space', (n: number) => `${' '.repeat(n)}[ [ [`],
  ])('grows with the length of %s', (_, flood) => {
    expect(growth(answer, flood)).toBeLessThan(LINEAR);
    expect(growth(say, flood)).toBeLessThan(LINEAR);
  });
});
