import { acceptConversation } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { type Draft, toRequest } from './draft.js';
import { example } from './example.js';
import { dropIn, hostileTexts } from './hostile.js';

const said = (draft: Draft): string => {
  const made = toRequest(draft);
  if ('problem' in made) throw new Error(made.problem.message);
  const { messages, tools } = acceptConversation(made.request);
  const texts: string[] = tools.map(({ description }) => description ?? '');
  for (const { parts } of messages)
    texts.push(
      parts
        .map((part) => ('text' in part ? part.text : 'output' in part ? String(part.output) : ''))
        .join(''),
    );
  return texts.join('\n');
};

describe('dropIn', () => {
  it.each(hostileTexts.map((text) => [text.title, text] as const))(
    'puts %s where it says, to the letter',
    (_, text) => {
      const { draft } = dropIn(example, text);
      expect(said(draft)).toContain(text.texts.join(''));
      expect(said(example)).not.toContain(text.texts.join(''));
      expect(draft.messages.length).toBe(example.messages.length);
    },
  );

  it.each(hostileTexts.map((text) => [text.title, text] as const))(
    'makes a place for %s in an empty conversation',
    (_, text) => {
      expect(said(dropIn({ messages: [], tools: '[]' }, text).draft)).toContain(text.texts.join(''));
      expect(said(dropIn({ messages: [], tools: '' }, text).draft)).toContain(text.texts.join(''));
    },
  );

  it('turns a result that was a value into text', () => {
    const draft: Draft = {
      tools: '[]',
      messages: [
        { role: 'tool', parts: [{ type: 'tool-result', callId: 'a', output: '{"t":1}', json: true }] },
      ],
    };
    const text = hostileTexts.find(({ target }) => target === 'result');
    if (text) expect(said(dropIn(draft, text).draft)).toContain(`{"t":1}\n${text.texts[0]}`);
  });

  it('leaves the draft it is given as it is', () => {
    const before = structuredClone(example);
    for (const text of hostileTexts) dropIn(example, text);
    expect(example).toEqual(before);
  });
});
