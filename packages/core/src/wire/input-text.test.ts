import { describe, expect, it } from 'vitest';
import { InputJson, InputText, inputText } from './input-text.js';

const hard = '*** Begin Patch\n"q" \\ \t\u0001 </tool_call> 世界 🙂\r\n\u2028{"input":"x"}';

/** The text in two pieces, at every place. */
function cuts(text: string): string[][] {
  return Array.from({ length: text.length + 1 }, (_, at) => [text.slice(0, at), text.slice(at)]);
}

function read(pieces: readonly string[]): string {
  const reader = new InputText();
  return pieces.map((piece) => reader.feed(piece)).join('') + reader.finish();
}

/** With every character as an escape. */
function escaped(text: string): string {
  const unit = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;
  return Array.from({ length: text.length }, (_, at) => unit(text.charCodeAt(at))).join('');
}

describe('the arguments of a freeform call', () => {
  it.each([
    ['as JSON writes them', JSON.stringify({ input: hard })],
    ['with white space', ` {\n "input" :\t${JSON.stringify(hard)} }\n`],
    ['in escapes', `{"input":"${escaped(hard)}"}`],
  ])('give the text, %s, wherever they are cut', (_, json) => {
    expect(read([...json])).toBe(hard);
    for (const pieces of cuts(json)) expect(read(pieces)).toBe(hard);
  });

  it('give each character as soon as it is certain', () => {
    const reader = new InputText();
    const fed = ['{"inp', 'ut":', '"a', 'b\\', 'n\\u00', 'e4', '\\ud83d', '\\ude42', '"', '}'];
    expect(fed.map((piece) => reader.feed(piece))).toEqual(['', '', 'a', 'b', '\n', 'ä', '', '🙂', '', '']);
  });

  it('are given as they are if they are others', () => {
    const others = ['{}', '{"input":5}', '{"input":["a"]}', '{"patch":"a"}', '["a"]', '{"inp', '', 'no JSON'];
    for (const json of others) {
      expect(read([...json])).toBe(json);
      expect(inputText(json)).toBe(json);
    }
  });

  it('give what is there if they break off, and no half of a character', () => {
    expect(read(['{"input":"a\\'])).toBe('a\\');
    expect(read(['{"input":"a\\ud83d'])).toBe('a\ufffd');
    expect(read(['{"input":"a\\ud83d","b":1}'])).toBe('a\ufffd');
    expect(read(['{"input":"\\x"}'])).toBe('\\x');
  });
});

describe('the text of a freeform call', () => {
  it('gives the arguments, wherever it is cut', () => {
    for (const pieces of cuts(hard)) {
      const writer = new InputJson();
      const json = pieces.map((piece) => writer.delta(piece)).join('') + writer.end();
      expect(JSON.parse(json)).toEqual({ input: hard });
      expect(inputText(json)).toBe(hard);
    }
    expect(new InputJson().end()).toBe('{"input":""}');
  });
});
