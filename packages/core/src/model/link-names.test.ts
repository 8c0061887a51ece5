import { describe, expect, it } from 'vitest';
import { makeConstant } from './constants.js';
import type { Message } from './conversation.js';
import { linkCalls, linkCopies } from './link-calls.js';
import { isLinked, linkNames } from './link-names.js';

const call = (id: string, name: string) => ({ type: 'tool-call' as const, id, name, input: {} });
const result = (callId: string, name?: string) => ({
  type: 'tool-result' as const,
  callId,
  output: 'x',
  ...(name !== undefined && { name }),
});
const asks = (...calls: ReturnType<typeof call>[]): Message => ({ role: 'assistant', parts: calls });
const answers = (...results: ReturnType<typeof result>[]): Message => ({ role: 'tool', parts: results });
const user: Message = { role: 'user', parts: [{ type: 'text', text: 'Hi.' }] };

const histories: [string, () => Message[]][] = [
  ['no calls', () => [user]],
  [
    'calls with results',
    () => [user, asks(call('1', 'a'), call('2', 'b')), answers(result('2'), result('1'))],
  ],
  ['a result with another name', () => [asks(call('1', 'a')), answers(result('1', 'other'))]],
  ['a result without a call', () => [user, answers(result('9'))]],
  [
    'an id that is used twice',
    () => [asks(call('1', 'a')), answers(result('1')), asks(call('1', 'b')), answers(result('1'))],
  ],
  ['a result before its call', () => [answers(result('1')), asks(call('1', 'a'))]],
  ['a constant call', () => [makeConstant(asks(call('1', 'a'))), answers(result('1'))]],
  [
    'constant results',
    () => [
      asks(call('1', 'a'), call('2', 'b')),
      makeConstant(answers(result('2'), result('9'), result('1'))),
    ],
  ],
];

const loose: [string, () => Message[]][] = [
  ['a call without an id', () => [asks(call('', 'a')), answers(result('1'))]],
  ['a result without an id', () => [asks(call('1', 'a')), answers(result(''))]],
];

describe('calls and results that have ids', () => {
  it.each(histories)('are linked as by the long way: %s', (_, make) => {
    const messages = make();
    expect(linkNames(messages)).toBe(true);
    expect(messages).toEqual(linkCalls(make()));
  });

  it.each(loose)('are left to the long way, unchanged: %s', (_, make) => {
    const messages = make();
    expect(linkNames(messages)).toBe(false);
    expect(messages).toEqual(make());
  });

  it('make a constant once for the same names', () => {
    const results = makeConstant(answers(result('1')));
    const linked = ['a', 'b', 'b'].map((name) => {
      const messages = [asks(call('1', name)), results];
      expect(linkNames(messages)).toBe(true);
      return messages[1];
    });
    expect(linked).toEqual([answers(result('1', 'a')), answers(result('1', 'b')), answers(result('1', 'b'))]);
    expect(linked[2]).toBe(linked[1]);
    expect(results).toEqual(answers(result('1')));
  });

  it('are linked only if the long way changes nothing', () => {
    for (const [, make] of [...histories, ...loose]) {
      const messages = make();
      if (messages.every(isLinked)) expect(linkCopies(messages)).toEqual(messages);
      const linked = linkCalls(make());
      for (const message of linked)
        if (message.role !== 'tool' || message.parts.every(({ name }) => name !== undefined))
          expect(isLinked(message)).toBe(true);
    }
  });
});
