import { parseExact } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { fieldsOf, type JsonFields } from './fields.js';
import { ParseSessions } from './parse-sessions.js';

const call = '<tool_call>{"name": "f", "arguments": {"a": 1.50}}</tool_call>';

function server(most = 3) {
  const sessions = new ParseSessions({}, most, '1.2.3');
  return (question: object) => {
    const fields = fieldsOf(parseExact(JSON.stringify(question))) as JsonFields;
    return JSON.parse(JSON.stringify(sessions.answer(fields)));
  };
}

describe('the sessions of parse --serve', () => {
  it('are parsers: what is fed gives events, and the end the rest', () => {
    const ask = server();
    expect(ask({ op: 'open', session: 'a', dialect: 'hermes' })).toEqual({});
    expect(ask({ op: 'feed', session: 'a', text: `Hi.${call.slice(0, 20)}` }).events[0]).toMatchObject({
      type: 'text-delta',
      text: 'Hi.',
    });
    const { events } = ask({ op: 'feed', session: 'a', text: call.slice(20) });
    expect(events).toContainEqual(expect.objectContaining({ type: 'call-end', raw: '{"a":1.50}' }));
    expect(ask({ op: 'finish', session: 'a' })).toEqual({ events: [] });
    expect(() => ask({ op: 'finish', session: 'a' })).toThrow('"a" is not open; it may be finished');
  });

  it('are named by the client, with a string or a number, which are not the same', () => {
    const ask = server();
    ask({ op: 'open', session: 1, dialect: 'hermes' });
    ask({ op: 'open', session: '1', dialect: 'hermes' });
    expect(() => ask({ op: 'open', session: 1, dialect: 'hermes' })).toThrow('1 is open already');
    expect(() => ask({ op: 'feed', session: {}, text: '' })).toThrow(
      'session: expected a string or a number',
    );
  });

  it('are bounded, and a session that is closed makes room', () => {
    const ask = server(2);
    for (const session of [1, 2]) ask({ op: 'open', session, dialect: 'hermes' });
    expect(() => ask({ op: 'open', session: 3, dialect: 'hermes' })).toThrow('2 sessions are open');
    ask({ op: 'close', session: 1 });
    ask({ op: 'close', session: 1 });
    expect(ask({ op: 'open', session: 3, dialect: 'hermes' })).toEqual({});
  });

  it('are not opened in a dialect that is unknown, or with tools that are none', () => {
    const ask = server(1);
    expect(() => ask({ op: 'open', session: 1, dialect: 'herms' })).toThrow('did you mean hermes?');
    expect(() => ask({ op: 'open', session: 1, dialect: 'hermes', tools: [5] })).toThrow('tools');
    expect(() => ask({ op: 'open', session: 1 })).toThrow('which dialect?');
    expect(ask({ op: 'open', session: 1, dialect: 'hermes' })).toEqual({});
  });
});

describe('policies', () => {
  const ask = server();

  it('reach the parser of a session and of a whole text', () => {
    const policies = { calls: 'text' };
    ask({ op: 'open', session: 1, dialect: 'hermes', policies });
    const { events } = ask({ op: 'feed', session: 1, text: call });
    const rest = ask({ op: 'finish', session: 1 }).events;
    const texts = [...events, ...rest].map(({ type, text }) => (type === 'text-delta' ? text : type));
    expect(texts.join('')).toBe(call);
    expect(ask({ op: 'parse', dialect: 'hermes', text: call, policies })).toMatchObject({
      text: call,
      calls: [],
    });
    const after = { op: 'parse', dialect: 'hermes', text: `${call} Done.` };
    expect(ask(after).text).toBe('');
    expect(ask({ ...after, policies: { textAfterCalls: 'text' } }).text).toContain('Done.');
  });

  it('are refused where they are misspelt', () => {
    const parse = (policies: unknown) => ask({ op: 'parse', dialect: 'hermes', text: '', policies });
    expect(() => parse({ call: 'text' })).toThrow('schemaBeatsAttribute, calls, found "call"');
    expect(() => parse({ calls: 'texts' })).toThrow('calls: expected read, text, found "texts"');
    expect(() => parse({ coerceStrings: 1 })).toThrow('coerceStrings: expected true or false');
    expect(() => parse('text')).toThrow('policies: expected an object');
  });
});

describe('the other operations', () => {
  const ask = server();

  it('parse reads one text, or many, of which a bad one does not spoil the others', () => {
    expect(ask({ op: 'parse', dialect: 'hermes', text: call })).toMatchObject({ calls: [{ name: 'f' }] });
    expect(ask({ op: 'parse', dialect: 'hermes', texts: ['a', 5, call] }).answers).toMatchObject([
      { text: 'a', calls: [] },
      { error: 'texts: expected a list of strings, found 5' },
      { calls: [{ raw: '{"a":1.50}' }] },
    ]);
    expect(ask({ op: 'parse', dialect: 'hermes', text: call, events: true }).events.length).toBeGreaterThan(
      2,
    );
  });

  it('render writes a prompt; hello tells protocol and version', () => {
    const request = { messages: [{ role: 'user', content: 'Hi' }] };
    expect(ask({ op: 'render', dialect: 'hermes', request }).prompt).toContain('Hi');
    expect(ask({ op: 'hello' })).toMatchObject({ protocol: 1, version: '1.2.3' });
  });

  it('one that is unknown is refused with the list', () => {
    expect(() => ask({ op: 'fed' })).toThrow('op: expected hello, open, feed, finish, close, parse, render');
    expect(() => ask({})).toThrow('op: expected hello');
  });
});
