import { acceptConversation } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import {
  type Draft,
  draftLength,
  emptyMessage,
  emptyPart,
  fromConversation,
  toDraftPath,
  toRequest,
  withRole,
} from './draft.js';
import { example } from './example.js';

const requestOf = (draft: Draft): unknown => {
  const made = toRequest(draft);
  if ('problem' in made) throw new Error(made.problem.message);
  return made.request;
};

describe('toRequest and fromConversation', () => {
  it('are each other’s inverse on the example', () => {
    const read = acceptConversation(requestOf(example));
    const again = acceptConversation(requestOf(fromConversation(read)));
    expect(again).toEqual(read);
  });

  it('keep what the dialects do not show: media, extra members, the order of parts, the choice of a tool', () => {
    const conversation = acceptConversation({
      tool_choice: 'none',
      tools: [{ name: 'f', input_schema: { type: 'object' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { data: 'x' } },
            { type: 'text', text: 'Look', cache_control: {} },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'a' },
            { type: 'tool_use', id: 't', name: 'f', input: { n: [1, { x: null }] } },
            { type: 'text', text: 'b' },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'no', is_error: true }] },
      ],
    });
    expect(acceptConversation(requestOf(fromConversation(conversation)))).toEqual(conversation);
  });

  it('keep digits and results that are values', () => {
    const messages = [
      {
        role: 'assistant',
        parts: [{ type: 'tool-call', id: 'a', name: 'f', input: '{"n": 12345678901234567890}' }],
      },
      { role: 'tool', parts: [{ type: 'tool-result', callId: 'a', output: { t: [1, 'x'] } }] },
    ];
    const draft = fromConversation(acceptConversation({ messages }));
    expect(draft.messages[0]?.parts[0]).toMatchObject({ input: '{"n": 12345678901234567890}' });
    expect(draft.messages[1]?.parts[0]).toMatchObject({ json: true, output: '{"t":[1,"x"]}' });
    expect(acceptConversation(requestOf(draft)).messages[1]).toMatchObject({
      parts: [{ output: { t: [1, 'x'] } }],
    });
  });

  it('name the place of what is no JSON', () => {
    expect(toRequest({ ...example, tools: '[\n{]' })).toMatchObject({
      problem: { path: 'tools', message: expect.stringMatching(/^This is no JSON. line 2, column 2/) },
    });
    const result = { type: 'tool-result', callId: 'a', output: '{', json: true } as const;
    expect(toRequest({ tools: '', messages: [{ role: 'tool', parts: [result] }] })).toMatchObject({
      problem: { path: 'messages[0].parts[0].output' },
    });
  });
});

describe('new messages and parts', () => {
  it('get an id that is free, a tool that exists, and the call that waits for a result', () => {
    expect(emptyPart('tool-call', example)).toEqual({
      type: 'tool-call',
      id: 'call_2',
      name: 'get_forecast',
      input: '{}',
    });
    const waiting: Draft = { ...example, messages: example.messages.slice(0, 3) };
    expect(emptyMessage('tool', waiting).parts).toEqual([
      { type: 'tool-result', callId: 'call_1', output: '' },
    ]);
  });

  it('can be read at once, whatever their role', () => {
    for (const role of ['system', 'user', 'assistant', 'tool'] as const) {
      const draft = { ...example, messages: [...example.messages, emptyMessage(role, example)] };
      expect(acceptConversation(requestOf(draft)).messages.at(-1)?.role).toBe(role);
    }
  });

  it('keep their text when their role changes', () => {
    const [, , assistant] = example.messages;
    if (!assistant) throw new Error('no assistant');
    const user = withRole(assistant, 'user', example);
    expect(user.parts.every(({ type }) => type === 'text')).toBe(true);
    expect(JSON.stringify(user)).toContain('Utrecht');
    const tool = withRole(user, 'tool', example);
    expect(tool.parts.every(({ type }) => type === 'tool-result')).toBe(true);
  });
});

describe('draftLength', () => {
  it('counts every part and the tools', () => {
    const draft: Draft = {
      tools: '[]',
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'abc' }] }],
    };
    expect(draftLength(draft)).toBe(5);
  });
});

describe('toDraftPath', () => {
  it.each([
    ['results["call_1"].output', 'messages[3].parts[0]'],
    ['calls["call_1"].arguments', 'messages[2].parts[2]'],
    ['results["other"].output', 'results["other"].output'],
    ['messages[4].content', 'messages[4].content'],
  ])('finds %s at %s', (path, place) => expect(toDraftPath(path, example)).toBe(place));
});
