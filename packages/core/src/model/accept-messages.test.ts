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

describe('content', () => {
  it('that is null or missing is no part, in any role', () => {
    for (const role of ['system', 'user', 'assistant']) {
      expect(messagesOf({ role, content: null })).toStrictEqual([{ role, parts: [] }]);
      expect(messagesOf({ role })).toStrictEqual([{ role, parts: [] }]);
    }
  });

  it('that is empty is one empty part, of an assistant none', () => {
    expect(firstPart({ role: 'user', content: '' })).toStrictEqual(text(''));
    expect(firstPart({ role: 'system', content: '' })).toStrictEqual(text(''));
    expect(firstPart({ role: 'assistant', content: '' })).toBeUndefined();
  });

  it('is never normalised', () => {
    const strange = 'e\u0301 ＜tool_call＞ \u200b \ud83d ﬁ\r\n';
    expect(firstPart({ role: 'user', content: strange })).toStrictEqual(text(strange));
  });

  it('of an assistant keeps parts it does not know at their place', () => {
    const audio = { type: 'audio', id: 'x' };
    expect(messagesOf({ role: 'assistant', content: [text('a'), audio, text('b')] })[0]?.parts).toStrictEqual(
      [text('a'), { type: 'text', text: '', extra: { part: audio } }, text('b')],
    );
    expect(firstPart({ role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] })).toStrictEqual({
      ...text('No.'),
      extra: { type: 'refusal' },
    });
  });

  it('carries reasoning in any of its three spellings, first', () => {
    for (const key of ['reasoning_content', 'reasoning', 'thinking']) {
      const [message] = messagesOf({ role: 'assistant', content: 'x', [key]: 'Hm.' });
      expect(message).toStrictEqual({
        role: 'assistant',
        parts: [{ type: 'reasoning', text: 'Hm.' }, text('x')],
      });
    }
    const both = { role: 'assistant', reasoning: 'Hm.', reasoning_content: 'Hm.', reasoning_details: [] };
    expect(messagesOf(both)).toStrictEqual([
      { role: 'assistant', parts: [{ type: 'reasoning', text: 'Hm.' }], extra: { reasoning_details: [] } },
    ]);
    expect(messagesOf({ role: 'assistant', reasoning_content: '' })).toStrictEqual([
      { role: 'assistant', parts: [] },
    ]);
  });
});

describe('calls', () => {
  const inputOf = (args: unknown) => firstPart({ role: 'assistant', tool_calls: [call('c', 'f', args)] });

  it('take arguments as JSON text, kept to the letter, or as an object', () => {
    expect(inputOf(' {"2":1.0,"1":12345678901234567890} ')).toMatchObject({
      input: { 1: 12345678901234567000, 2: 1 },
      raw: ' {"2":1.0,"1":12345678901234567890} ',
    });
    expect(inputOf(parseExact('{"2":1.0,"__proto__":[1]}'))).toMatchObject({
      raw: '{"2":1.0,"__proto__":[1]}',
    });
    expect(inputOf({ a: undefined, b: 2n })).toMatchObject({ input: { b: 2 }, raw: '{"b":2}' });
    for (const none of ['', '  ', null, undefined])
      expect(inputOf(none)).toMatchObject({ input: {}, raw: '{}' });
  });

  it.each(['x', '[]', '1.0', 'null', '"a"', '{"a":1'])('refuse the arguments %s and say where', (args) => {
    const error = errorOf([{ role: 'assistant', tool_calls: [call('c'), call('d', 'f', args)] }]);
    expect(error.code).toBe('bad-conversation');
    expect(error.path).toBe('[0].tool_calls[1].function.arguments');
    expect(error.message).toContain('arguments that are a JSON object');
  });

  it('keep what one API says of them', () => {
    const given = { ...call('c'), index: 0, extra_content: { google: { thought_signature: 's' } } };
    expect(firstPart({ role: 'assistant', tool_calls: [given] })).toMatchObject({
      extra: { index: 0, extra_content: { google: { thought_signature: 's' } } },
    });
  });

  it('without ids get them by counting, past the ids that are used', () => {
    const messages = messagesOf(
      { role: 'assistant', tool_calls: [call(undefined), call('call_2'), { name: 'g', arguments: {} }] },
      { role: 'assistant', tool_calls: [call('')] },
    );
    const ids = messages.flatMap((message) =>
      message.parts.map((part) => part.type === 'tool-call' && part.id),
    );
    expect(ids).toEqual(['call_1', 'call_2', 'call_3', 'call_4']);
  });
});

describe('results', () => {
  const linked = (...messages: unknown[]) =>
    messagesOf(...messages).flatMap((message) =>
      message.role === 'tool' ? message.parts.map((part) => [part.callId, part.name, part.output]) : [],
    );
  const assistant = (...calls: unknown[]) => ({ role: 'assistant', tool_calls: calls });
  const answer = (content: unknown, more: object = {}) => ({ role: 'tool', content, ...more });

  it('without ids answer the open calls in order', () => {
    const calls = assistant(call('a', 'f'), call('b', 'g'), call('c', 'h'));
    expect(linked(calls, answer('1'), answer('2', { tool_call_id: 'a' }), answer('3'))).toEqual([
      ['b', 'g', '1'],
      ['a', 'f', '2'],
      ['c', 'h', '3'],
    ]);
  });

  it('with a name and no id answer the call of that name', () => {
    const calls = assistant(call('a', 'f'), call('b', 'g'));
    expect(linked(calls, answer('1', { name: 'g' }), answer('2', { name: 'f' }))).toEqual([
      ['b', 'g', '1'],
      ['a', 'f', '2'],
    ]);
  });

  it('answer the turn before them, though it came in two messages, and no earlier turn', () => {
    const turn = [assistant(call('a', 'f')), assistant(call('b', 'g'))];
    expect(linked(...turn, answer('1'), answer('2')).map(([id]) => id)).toEqual(['a', 'b']);
    const lost = [assistant(call('a', 'f')), { role: 'user', content: 'x' }, assistant(call('b', 'g'))];
    expect(linked(...lost, answer('1')).map(([id]) => id)).toEqual(['b']);
  });

  it('whose calls are gone stay results', () => {
    expect(linked(answer('1'), answer('2', { tool_call_id: 'x' }))).toEqual([
      ['call_1', undefined, '1'],
      ['x', undefined, '2'],
    ]);
  });

  it('take the name of the nearest call before them where ids repeat', () => {
    const twice = [assistant(call('a', 'f')), answer('1', { tool_call_id: 'a' })];
    const again = [assistant(call('a', 'g')), answer('2', { tool_call_id: 'a' })];
    expect(linked(...twice, ...again).map(([, name]) => name)).toEqual(['f', 'g']);
  });

  it('are text where the content is text, and JSON where it is JSON', () => {
    const outputOf = (content: unknown) =>
      linked(answer(content, { tool_call_id: 'x' })).map(([, , output]) => output);
    expect(outputOf('{"a":1}')).toEqual(['{"a":1}']);
    expect(outputOf([text('a'), text('b')])).toEqual(['ab']);
    expect(outputOf({ a: 1 })).toEqual([{ a: 1 }]);
    expect(outputOf([1, 2])).toEqual([[1, 2]]);
    expect(outputOf([{ type: 'row', text: 'a' }])).toEqual([[{ type: 'row', text: 'a' }]]);
    for (const none of [null, undefined, []]) expect(outputOf(none)).toEqual(['']);
  });

  it('come several in one message in the shape of GLM’s template', () => {
    const calls = assistant(call('a', 'f'), call('b', 'g'));
    expect(linked(calls, answer([{ output: 'o1' }, { output: { x: 1 } }]))).toEqual([
      ['a', 'f', 'o1'],
      ['b', 'g', { x: 1 }],
    ]);
  });
});
