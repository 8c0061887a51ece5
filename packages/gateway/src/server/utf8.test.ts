import { describe, expect, it } from 'vitest';
import { decodeUtf8, encodeParts, encodeText } from './utf8.js';

const long = 'A text that is long enough. '.repeat(400);
const texts = [
  '',
  'short',
  'é你😀',
  long,
  `${long}é`,
  `你好${long}😀`,
  `${long}\u0000\u007f\u0080\u07ff\uffff`,
];

describe('UTF-8 of bodies', () => {
  it.each(texts.map((text) => [text.slice(0, 20), text]))(
    'is read and written as Node does: %s',
    (_, text) => {
      expect(decodeUtf8(new TextEncoder().encode(text))).toBe(text);
      expect(encodeParts([text])).toEqual(Buffer.from(text));
      expect(Buffer.from(encodeText(text))).toEqual(Buffer.from(text));
      expect(encodeParts(['{', text, Buffer.from(text), '', '}'])).toEqual(Buffer.from(`{${text}${text}}`));
      expect(encodeParts(['{', [text, 'é', text], '}'])).toEqual(Buffer.from(`{${text}é${text}}`));
    },
  );

  it('is read without a byte order mark, which is kept elsewhere', () => {
    for (const text of texts) expect(decodeUtf8(Buffer.from(`\ufeff${text}`))).toBe(text);
    expect(decodeUtf8(Buffer.from(`${long}\ufeff`))).toBe(`${long}\ufeff`);
  });

  it('is read as TextDecoder does where it is broken', () => {
    for (const broken of [[0xff], [0xe4, 0xbd], [0xed, 0xa0, 0x80], [0xc0, 0xaf]]) {
      const bytes = Buffer.concat([Buffer.from(long), Buffer.from(broken), Buffer.from('é')]);
      expect(decodeUtf8(bytes)).toBe(new TextDecoder().decode(bytes));
    }
  });

  it('writes unpaired surrogates as replacement characters', () => {
    for (const text of ['', `你${long}`]) {
      expect(encodeParts([`${text}a\ud800b`])).toEqual(Buffer.from(`${text}a\ufffdb`));
      expect(Buffer.from(encodeText(`${text}\udc00`))).toEqual(Buffer.from(`${text}\ufffd`));
    }
  });

  it('gives bytes that nothing else is written over', () => {
    const texts = Array.from({ length: 50 }, (_, at) => `你 ${at} ${long}`);
    const kept = texts.map(encodeText);
    for (const [at, bytes] of kept.entries())
      expect(Buffer.from(bytes).equals(Buffer.from(texts[at] as string))).toBe(true);
    for (const bytes of kept) expect(bytes.buffer.byteLength).toBe(bytes.length);
  });

  it('is read from a view of a larger memory', () => {
    const whole = Buffer.from(`xx${long}你yy`);
    expect(decodeUtf8(whole.subarray(2, whole.length - 2))).toBe(`${long}你`);
  });
});
