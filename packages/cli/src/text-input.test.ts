import { describe, expect, it } from 'vitest';
import { TextInput } from './text-input.js';

/** Reads bytes in pieces of this size. */
function read(bytes: Buffer, size = bytes.length) {
  const notes: string[] = [];
  const input = new TextInput((text) => notes.push(text));
  let text = '';
  for (let at = 0; at < bytes.length; at += size) text += input.push(bytes.subarray(at, at + size));
  return { text: text + input.end(), notes };
}

const call = '<tool_call>{"name": "add", "arguments": {"city": "Köln 🌍"}}</tool_call>';
const be = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('the encoding of the input', () => {
  it.each([
    ['UTF-8', Buffer.from(call), []],
    ['UTF-16LE', Buffer.from(`\ufeff${call}`, 'utf16le'), ['The input is UTF-16LE; it is read as that.']],
    ['UTF-16BE', be(`\ufeff${call}`), ['The input is UTF-16BE; it is read as that.']],
    ['UTF-16LE without a mark', Buffer.from(call, 'utf16le'), ['The input is UTF-16LE; it is read as that.']],
    ['UTF-16BE without a mark', be(call), ['The input is UTF-16BE; it is read as that.']],
  ])('%s is recognised, in pieces of any size', (_, bytes, notes) => {
    for (const size of [bytes.length, 64, 65, 67]) expect(read(bytes, size)).toEqual({ text: call, notes });
  });

  it('UTF-8 keeps its mark, as before', () => {
    expect(read(Buffer.from('\ufeffa'))).toEqual({ text: '\ufeffa', notes: [] });
  });

  it('bytes of another encoding are noted once, and read as U+FFFD', () => {
    const latin = Buffer.from('caf\xe9 caf\xe9', 'latin1');
    const note =
      'The input has bytes that are no UTF-8, which are read as \ufffd. Is it in another encoding?';
    expect(read(latin)).toEqual({ text: 'caf\ufffd caf\ufffd', notes: [note] });
  });

  it('U+FFFD that a model wrote is no fault, and neither is a piece that ends inside a character', () => {
    expect(read(Buffer.from('a\ufffdb'), 2).notes).toEqual([]);
    expect(read(Buffer.from('🌍🌍'), 3)).toEqual({ text: '🌍🌍', notes: [] });
  });

  it('an end inside a character is noted', () => {
    expect(read(Buffer.from('a🌍').subarray(0, 3)).notes).toEqual([
      'The input ends inside a character, which is read as \ufffd. Is it in another encoding?',
    ]);
  });
});
