import { describe, expect, it } from 'vitest';
import { makeConstant } from '../../model/constants.js';
import type { Message } from '../../model/index.js';
import { decodeRequest } from './decode-request.js';
import { messageGroups } from './encode-message.js';
import { encodeRequest } from './encode-request.js';
import { writeMembers } from './spelling.js';
import { usualMessage, writeUsual } from './usual-message.js';

const called = (args: unknown, more: object = {}) => ({
  id: 'c1',
  type: 'function',
  function: { name: 'weather', arguments: args },
  ...more,
});
const calling = (args: unknown, more: object = {}) => ({
  role: 'assistant',
  content: 'Well.',
  tool_calls: [called(args, more)],
});

const usual: object[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: ' \ud800 ' },
  { role: 'assistant', content: 'Fine.' },
  calling('{"city":"Oslo"}'),
  calling(' {"a":1.0, "__proto__":{"b":[]},"2":1,"1":2,"a":12345678901234567890}\n'),
  { ...calling('{}'), content: null },
  { role: 'assistant', content: null, tool_calls: [called('{}'), called('{"a":[[{}]]}', { id: 'c2' })] },
  { role: 'tool', tool_call_id: 'c1', content: 'rain' },
  { role: 'tool', tool_call_id: 'c1', content: '' },
];

const other: object[] = [
  { content: 'Hi.', role: 'user' },
  { role: 'user', content: 'Hi.', name: 'ann' },
  { role: 'user', content: '' },
  { role: 'user', content: [{ type: 'text', text: 'Hi.' }] },
  { role: 'assistant', content: '' },
  { role: 'assistant', content: null },
  { role: 'assistant', content: 'Fine.', tool_calls: [] },
  { role: 'assistant', content: 'Fine.', tool_calls: null },
  { ...calling('{}'), content: '' },
  { role: 'assistant', tool_calls: [called('{}')] },
  { role: 'assistant', content: null, reasoning_content: 'Hm.', tool_calls: [called('{}')] },
  calling(''),
  calling('{"a":'),
  calling('[1]'),
  calling({ a: 1 }),
  calling(`{"a":${'['.repeat(600)}${']'.repeat(600)}}`),
  calling('{}', { index: 0 }),
  calling('{}', { id: '' }),
  calling('{}', { id: null }),
  calling('{}', { type: 'custom', custom: { name: 'weather', input: 'x' } }),
  { role: 'tool', content: 'rain', tool_call_id: 'c1' },
  { role: 'tool', tool_call_id: 'c1', name: 'weather', content: 'rain' },
  { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'rain' }] },
  { role: 'tool', content: 'rain' },
  { role: 'developer', content: 'Be brief.' },
  { role: 'function', name: 'weather', content: 'rain' },
];

/** The messages as JSON.parse gives them, each within a conversation that links it. */
const conversations = [...usual, ...other].map((message) => {
  const first = { role: 'user', content: 'Hi.' };
  return JSON.parse(JSON.stringify([first, calling('{"x":1}'), message, { role: 'user', content: 'On.' }]));
});

describe('a message in our own spelling', () => {
  it('is read at once', () => {
    const read = (message: object) => usualMessage(JSON.parse(JSON.stringify(message))) !== undefined;
    expect(usual.map(read)).toEqual(usual.map(() => true));
    expect(other.map(read)).toEqual(other.map(() => false));
  });

  it.each(conversations)('is what the long way gives, and is written as it came: %#', (...messages) => {
    const request = (list: object[]) => ({ model: 'm', messages: list });
    // A Map is read the long way.
    const long = decodeRequest(request(messages.map((message: object) => new Map(Object.entries(message)))));
    const plain = decodeRequest(request(messages));
    expect(plain).toEqual(long);
    expect(JSON.stringify(encodeRequest(plain).messages)).toBe(JSON.stringify(messages));
    const constants = messages.map((message: object) => makeConstant(structuredClone(message)));
    for (let turn = 0; turn < 2; turn++) {
      const quick = decodeRequest(request(constants));
      expect(quick).toEqual(long);
      expect(JSON.stringify(encodeRequest(quick))).toBe(JSON.stringify(encodeRequest(long)));
      expect(JSON.stringify(encodeRequest(quick).messages)).toBe(JSON.stringify(messages));
    }
  });

  it('is written as the long way does', () => {
    const text = (value: string) => ({ type: 'text' as const, text: value });
    const call = { type: 'tool-call' as const, id: 'c', name: 'f', input: { a: 1 }, raw: '{"a": 1}' };
    const stale = { ...call, raw: '{"a": 2}' };
    const result = { type: 'tool-result' as const, callId: 'c', output: 'rain' };
    const messages: Message[] = [
      ...(['system', 'user'] as const).flatMap((role) =>
        ['Hi.', ''].map((value) => ({ role, parts: [text(value)] })),
      ),
      { role: 'user', parts: [text('a'), text('b')] },
      { role: 'assistant', parts: [text('Hi.')] },
      { role: 'assistant', parts: [text('')] },
      { role: 'assistant', parts: [text('a'), text('b')] },
      { role: 'assistant', parts: [{ ...text('Hi.'), aside: true }] },
      { role: 'assistant', parts: [text('Hi.'), call, stale] },
      { role: 'assistant', parts: [text(''), call] },
      { role: 'assistant', parts: [call] },
      { role: 'assistant', parts: [call, text('Hi.')] },
      { role: 'assistant', parts: [{ ...call, broken: '{"a' }] },
      { role: 'assistant', parts: [{ type: 'reasoning', text: 'Hm.' }, call] },
      { role: 'tool', parts: [result] },
      { role: 'tool', parts: [{ ...result, name: 'f' }] },
      { role: 'tool', parts: [{ ...result, isError: true }] },
      { role: 'tool', parts: [{ ...result, output: { a: 1 } }] },
    ];
    const written = messages.map((message) => [message, writeUsual(message)] as const);
    for (const [message, usual] of written.filter(([, each]) => each !== undefined))
      expect(JSON.stringify(usual)).toBe(JSON.stringify(writeMembers(messageGroups(message), {}, undefined)));
    expect(written.filter(([, usual]) => usual === undefined)).toHaveLength(8);
  });

  it('is written with what was changed since', () => {
    const messages = usual.map((message) => makeConstant(structuredClone(message)));
    const { conversation, ...request } = decodeRequest({ model: 'm', messages });
    const changed = conversation.messages.map((message) =>
      message.role === 'user' ? { ...message, parts: [{ type: 'text' as const, text: 'New.' }] } : message,
    );
    const sent = encodeRequest({ ...request, conversation: { ...conversation, messages: changed } });
    expect((sent.messages as object[])[1]).toEqual({ role: 'user', content: 'New.' });
  });

  it('is not written where a text comes twice, also as the same object', () => {
    const text = { type: 'text' as const, text: 'x' };
    expect(writeUsual({ role: 'assistant', parts: [text, text] })).toBeUndefined();
  });
});
