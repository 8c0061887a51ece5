import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptConversation, type Message, parseExact, UsageError } from './index.js';

const messagesOf = (...messages: unknown[]): Message[] => acceptConversation(messages).messages;
const firstPart = (message: unknown): unknown => messagesOf(message)[0]?.parts[0];
const call = (id: string | undefined, name = 'f', args: unknown = '{}') => ({
  ...(id !== undefined && { id }),
  type: 'function',
  function: { name, arguments: args },
});
const text = (value: string) => ({ type: 'text', text: value });

function errorOf(value: unknown): UsageError {
  try {
    acceptConversation(value);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('wrong input', () => {
  it.each([
    [undefined, 1, 'expected a list of messages, or a request that has one as `messages`, found 1'],
    ['messages', { prompt: 'x' }, 'expected a list of messages'],
    ['messages[0]', { messages: ['x'] }, 'expected a message: {role, content}, found "x"'],
    [
      '[0].role',
      [{ role: 'constructor' }],
      'expected one of the roles system, developer, user, assistant, tool',
    ],
    ['[0].content', [{ role: 'user', content: 1 }], 'expected a string, a list of parts, or null, found 1'],
    ['[0].content[0]', [{ role: 'user', content: [1] }], 'expected a part'],
    ['[0].content[0].type', [{ role: 'user', content: [{}] }], 'expected the type of a part'],
    [
      '[0].content[0].text',
      [{ role: 'user', content: [{ type: 'text' }] }],
      'expected a string, found nothing',
    ],
    ['[0].content[0]', [{ role: 'system', content: [{ type: 'image' }] }], 'expected text'],
    ['[0].tool_calls', [{ role: 'assistant', tool_calls: {} }], 'expected a list of calls'],
    [
      '[0].tool_calls[0].function.name',
      [{ role: 'assistant', tool_calls: [{ function: {} }] }],
      'the name of the tool',
    ],
    ['[0].tool_calls[0].id', [{ role: 'assistant', tool_calls: [{ id: 1, name: 'f' }] }], 'expected an id'],
    ['[0].tool_call_id', [{ role: 'tool', tool_call_id: 1 }], 'expected an id'],
    ['tool_choice', { messages: [], tool_choice: 'maybe' }, 'found "maybe"'],
  ])('at %s is named', (path, value, message) => {
    const error = errorOf(value);
    expect(error.code).toBe('bad-conversation');
    expect(error.path || undefined).toBe(path);
    expect(error.message).toContain(message);
  });

  it('never overflows the stack', () => {
    const deep = JSON.parse(`${'[{"a":'.repeat(4000)}1${'}]'.repeat(4000)}`);
    const messages = [
      { role: 'user', content: [{ type: 'image', deep }] },
      { role: 'user', content: 'x', deep },
      { role: 'tool', tool_call_id: 'x', content: deep },
      { role: 'assistant', tool_calls: [call('c', 'f', { deep })] },
      { role: 'assistant', tool_calls: [call('c', 'f', JSON.stringify(deep))] },
    ];
    for (const message of messages) expect(errorOf([message]).message).toContain('512 levels');
  });

  it('touches no prototype', () => {
    const hostile = '{"messages":[{"role":"user","content":"x","__proto__":{"p":1}}],"__proto__":{"p":1}}';
    for (const value of [JSON.parse(hostile), parseExact(hostile)]) {
      const read = acceptConversation(value);
      expect(Object.getOwnPropertyNames(read.extra)).toEqual(['__proto__']);
      expect((read.extra as { p?: unknown }).p).toBeUndefined();
      expect(({} as { p?: unknown }).p).toBeUndefined();
    }
  });
});

describe('a conversation of ours', () => {
  // JSON has no -0 when JavaScript writes it.
  const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)));
  const more = fc.dictionary(
    fc.constantFrom('title', 'cache_control', 'extra', 'x', '1', '__proto__'),
    json,
    {
      maxKeys: 2,
    },
  );
  const id = fc.option(fc.constantFrom('a', 'b', 'call_1', ''), { nil: undefined });
  const word = fc.constantFrom('', 'x', '<tool_call>', '\ud83d', '{"a": 1.0}', '{}');
  const mix = (base: object) => more.map((extra) => ({ ...extra, ...base }));
  const args = fc.oneof(
    fc.constantFrom('', '{}', '{"b":1.0,"1":-0}'),
    fc.dictionary(fc.constantFrom('a', '1', '__proto__'), json),
  );
  const result = fc.oneof(
    word,
    json,
    fc.constant([{ output: 'x' }, { output: 1 }]),
    fc.constant([text('x')]),
  );
  const part = fc.oneof(
    word.chain((value) => mix(text(value))),
    word.chain((value) => mix({ type: 'thinking', thinking: value })),
    fc.constantFrom(
      { type: 'media', data: 'x' },
      { type: 'media', media: 1 },
      { type: 'redacted_thinking', data: 'x' },
    ),
    fc
      .tuple(id, json)
      .chain(([callId, output]) => mix({ type: 'tool_result', tool_use_id: callId, content: output })),
    fc
      .tuple(id, json)
      .chain(([callId, value]) =>
        mix({ type: 'tool-result', toolCallId: callId, output: { type: 'json', value } }),
      ),
    fc.tuple(id, args).chain(([callId, input]) => mix({ type: 'tool_use', id: callId, name: 'f', input })),
  );
  const content = fc.oneof(word, fc.constant(null), fc.array(part, { maxLength: 4 }));
  const message = fc.oneof(
    word.chain((value) => mix({ role: 'developer', content: value })),
    content.chain((value) => mix({ role: 'user', content: value })),
    fc
      .tuple(content, word, fc.array(fc.tuple(id, args), { maxLength: 3 }))
      .chain(([value, reasoning, calls]) =>
        mix({
          role: 'assistant',
          content: value,
          reasoning_content: reasoning,
          tool_calls: calls.map(([callId, input]) => call(callId, 'f', input)),
        }),
      ),
    fc
      .tuple(id, result)
      .chain(([callId, value]) => mix({ role: 'tool', content: value, tool_call_id: callId })),
  );
  const request = fc
    .tuple(
      fc.array(message, { maxLength: 6 }),
      fc.constantFrom('auto', { type: 'any', x: 1 }, { name: 'f' }),
      more,
    )
    .map(([messages, choice, extra]) => ({
      ...extra,
      messages,
      tool_choice: choice,
      tools: [{ name: 'f', x: 1 }],
    }));

  it('is taken as it is', () => {
    fc.assert(
      fc.property(request, (value) => {
        const once = acceptConversation(value);
        expect(isDeepStrictEqual(acceptConversation(once), once), JSON.stringify(once)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('is read the same from plain and from exact JSON, and what was given is not changed', () => {
    fc.assert(
      fc.property(request, (value) => {
        const written = JSON.stringify(value);
        const read = acceptConversation(value);
        expect(isDeepStrictEqual(acceptConversation(JSON.parse(written)), read)).toBe(true);
        expect(isDeepStrictEqual(acceptConversation(parseExact(written)), read)).toBe(true);
        expect(JSON.stringify(value)).toBe(written);
      }),
    );
  });

  it('may have a call whose input was changed since: the stale text is made anew', () => {
    const own = { type: 'tool-call', id: 'c', name: 'f', input: { a: 2 }, raw: '{"a": 1.0}' };
    expect(firstPart({ role: 'assistant', parts: [own] })).toMatchObject({ input: { a: 2 }, raw: '{"a":2}' });
    const kept = { ...own, raw: '{"a": 2.0}' };
    expect(firstPart({ role: 'assistant', parts: [kept] })).toStrictEqual(kept);
  });

  it('keeps asides, media, errors and results that look like an API’s', () => {
    const messages = [
      { role: 'user', parts: [{ type: 'media', media: { a: 1 }, extra: { b: 1 } }] },
      { role: 'assistant', parts: [{ type: 'text', text: 'x', aside: true }] },
      {
        role: 'tool',
        parts: [{ type: 'tool-result', callId: 'c', output: { type: 'text', value: 'x' }, isError: true }],
      },
    ];
    expect(messagesOf(...messages)).toStrictEqual(messages);
  });
});
