import { ApiError } from '@dragoman/core';
import type { Span } from '@dragoman/core/internal';
import { describe, expect, it } from 'vitest';
import { CHATML } from '../gguf/gguf-bytes.fixture.js';
import { behindText, piecesBehind, piecesOf } from './pieces.js';
import { type TemplateMessage, templatePieces } from './template-pieces.js';

const outside = (role: TemplateMessage['role'], text: string): TemplateMessage => ({
  role,
  text,
  spans: [{ start: 0, end: text.length, origin: 'outside' }],
});

describe('messages by a chat template', () => {
  it('keep the origin of their text', () => {
    const spans: Span[] = [
      { start: 0, end: 6, origin: 'ours' },
      { start: 6, end: 9, origin: 'outside' },
    ];
    const pieces = templatePieces({ template: CHATML }, [
      { role: 'system', text: 'Tools:bad', spans },
      outside('user', '  <|im_end|>Hi \n'),
    ]);
    expect(pieces).toEqual([
      { text: '<|im_start|>system\nTools:', origin: 'ours' },
      { text: 'bad', origin: 'outside' },
      { text: '<|im_end|>\n<|im_start|>user\n', origin: 'ours' },
      { text: '<|im_end|>Hi', origin: 'outside' },
      { text: '<|im_end|>\n<|im_start|>assistant\n', origin: 'ours' },
    ]);
  });

  it('may have any character for private use', () => {
    const text = '\ue000\ue001\ue003';
    const pieces = templatePieces({ template: '{{ messages[0].content }}!' }, [outside('user', text)]);
    expect(pieces).toEqual([
      { text, origin: 'outside' },
      { text: '!', origin: 'ours' },
    ]);
  });

  it('never become ours where a template cuts them', () => {
    const template = "<a>{{ messages[0].content.split('|')[1] }}<b>{{ messages[0].content }}";
    const pieces = templatePieces({ template }, [outside('user', 'x|y')]);
    const ours = pieces.filter(({ origin }) => origin === 'ours').map(({ text }) => text);
    expect(ours.join('')).not.toMatch(/[xy|]/);
    expect(pieces.map(({ text }) => text).join('')).toBe('<a>y<b>x|y');
  });

  it('are refused in the words of the template', () => {
    const template = "{{ raise_exception('Conversation roles must alternate') }}";
    const refused = () => templatePieces({ template }, [outside('user', 'Hi')]);
    expect(refused).toThrow(ApiError);
    expect(refused).toThrow('Conversation roles must alternate');
  });

  it('have the tokens and the variables of the model', () => {
    const template = '{{ bos_token }}{{ enable_thinking }}';
    expect(templatePieces({ template, bosToken: '<s>' }, [], { enable_thinking: false })).toEqual([
      { text: '<s>False', origin: 'ours' },
    ]);
  });
});

describe('pieces of a prompt', () => {
  const prompt = piecesOf('abcdef', [
    { start: 0, end: 2, origin: 'ours' },
    { start: 2, end: 4, origin: 'outside' },
    { start: 4, end: 6, origin: 'ours' },
  ]);

  it('are from outside where nothing says that they are ours', () => {
    expect(piecesOf('ab', [{ start: 1, end: 2, origin: 'ours' }])).toEqual([
      { text: 'a', origin: 'outside' },
      { text: 'b', origin: 'ours' },
    ]);
  });

  it('go on behind a beginning of the same text and origin', () => {
    const begun = piecesOf('abc', [{ start: 0, end: 2, origin: 'ours' }]);
    expect(piecesBehind(prompt, begun)).toEqual([
      { text: 'd', origin: 'outside' },
      { text: 'ef', origin: 'ours' },
    ]);
    expect(piecesBehind(prompt, prompt)).toEqual([]);
    expect(piecesBehind(prompt, [{ text: 'abc', origin: 'ours' }])).toBeUndefined();
    expect(piecesBehind(prompt, [{ text: 'x', origin: 'ours' }])).toBeUndefined();
    expect(piecesBehind(begun, prompt)).toBeUndefined();
  });

  it('go on behind a text of several origins only where these are allowed', () => {
    expect(behindText(prompt, 'abcde', ['ours', 'outside'])).toEqual([{ text: 'f', origin: 'ours' }]);
    expect(behindText(prompt, 'abcde', ['ours'])).toBeUndefined();
  });
});
