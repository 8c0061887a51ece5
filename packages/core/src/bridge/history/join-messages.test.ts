import { expect, it } from 'vitest';
import type { Message } from '../../model/index.js';
import { notesOf, withNotes } from '../../wire/notes.js';
import { joinMessages } from './join-messages.js';

const user = (text: string, more: object = {}): Message => ({
  role: 'user',
  parts: [{ type: 'text', text, ...more }],
});
const extra = { cache_control: { type: 'ephemeral' } };

it('makes one part of plain texts, and keeps parts that have members of their own', () => {
  expect(joinMessages([user('a'), user('b'), user('c', { extra }), user('d')]).parts).toEqual([
    { type: 'text', text: 'a\n\nb' },
    { type: 'text', text: '\n\nc', extra },
    { type: 'text', text: '\n\nd' },
  ]);
});

it('puts no empty line beside empty text, or beside an image', () => {
  const image: Message = { role: 'user', parts: [{ type: 'media', media: {} }] };
  expect(joinMessages([user('', { extra }), user('a'), image, user('b')]).parts).toEqual([
    { type: 'text', text: '', extra },
    { type: 'text', text: 'a' },
    { type: 'media', media: {} },
    { type: 'text', text: 'b' },
  ]);
});

it('keeps the members of all, those of the first before others, and the items that came before each', () => {
  const messages = [
    { ...user('a'), ...withNotes({ name: 'one' }, { string: true, before: [1] }) },
    { ...user('b'), ...withNotes({ name: 'two', id: 'x' }, { string: false, before: [2, 3] }) },
  ] as [Message, Message];
  const joined = joinMessages(messages);
  expect(joined.extra).toMatchObject({ name: 'one', id: 'x' });
  expect(notesOf(joined.extra)).toEqual({ string: true, before: [1, 2, 3] });
});
