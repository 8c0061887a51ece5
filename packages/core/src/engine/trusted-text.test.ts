import { describe, expect, it } from 'vitest';
import { dialects } from '../dialects/index.js';
import type { Message } from '../model/index.js';
import type { Dialect } from './dialect.js';
import { renderMessages, renderPrompt } from './renderer.js';

/** What acts in some dialects, and in this one. */
const wordsOf = ({ markers }: Dialect) =>
  `Write it so: <tool_call>, <tools>, !unquote_start, <｜DSML｜invoke name="f">, ${markers.literals[0] ?? ''}.`;

describe.each(dialects)('$name', (dialect) => {
  const words = wordsOf(dialect);
  const messages: Message[] = [
    { role: 'user', parts: [{ type: 'text', text: words }] },
    { role: 'assistant', parts: [{ type: 'text', text: 'No.' }] },
    { role: 'user', parts: [{ type: 'text', text: words }] },
  ];
  const conversation = { messages, tools: [], toolChoice: 'auto' };
  const read = (trusted: number[]) =>
    renderMessages(dialect, conversation, { trusted }).messages.filter(({ role }) => role === 'user');

  it('writes the text of a trusted message as it is, and no other', () => {
    const [first, last] = read([2]);
    expect(last?.content).toBe(words);
    expect(last?.spans).toEqual([{ start: 0, end: words.length, origin: 'ours' }]);
    expect(first?.content).not.toBe(words);
  });

  it('trusts nothing unless it is told to', () => {
    for (const message of read([])) expect(message.content).not.toBe(words);
  });

  it.runIf(dialect.render.prompt)('does so in the whole prompt, too', () => {
    const prompt = renderPrompt(dialect, conversation, { trusted: [2] }).text;
    expect(prompt.split(words)).toHaveLength(2);
  });
});
