import { describe, expect, it } from 'vitest';
import { CallSize } from './call-size.js';

function sizeOf(text: string, piece = text.length || 1): [elements: number, inStrings: number] {
  const size = new CallSize();
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += piece) size.add(bytes.subarray(at, at + piece));
  return [size.elements, size.inStrings];
}

const call = (name: string, value: string) => `[{${name}:${value}}]`;
const inner = '{"a":[[],{"b":",[{"}],"\\"":1}';
const odd = `"${[...inner].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;

const cases: [text: string, inStrings: number][] = [
  [call('"arguments"', JSON.stringify(inner)), 6],
  [call('"arguments"', odd), 6],
  [call('"argum\\u0065nts" ', ` ${JSON.stringify(inner)}`), 6],
  [call('"\\u0061\\u0072\\u0067\\u0075\\u006D\\u0065\\u006e\\u0074\\u0073"', JSON.stringify(inner)), 6],
  [call('"r\\u0161w"', JSON.stringify(inner)), 0],
  [call('"r\\u00g1w"', JSON.stringify(inner)), 0],
  [call('"\\raw"', JSON.stringify(inner)), 0],
  [call('"ra\\u0077\\u0073"', JSON.stringify(inner)), 0],
  [call('"input"', JSON.stringify(inner)), 6],
  [call('"raw"', JSON.stringify(` \n${inner}`)), 6],
  [call('"output"', JSON.stringify(inner)), 0],
  [call('"arguments"', '"你好, \\"a, b\\" \\ud83d\\ude00"'), 1],
  [`{"input":${JSON.stringify(inner)}}`, 0],
  [`[["arguments",${JSON.stringify(inner)}]]`, 0],
  [`[{"x":"arguments"},{"y":${JSON.stringify(inner)}}]`, 0],
  [call('"arguments"', `{"arguments":${JSON.stringify(inner)}}`), 6],
  ['"arguments"', 0],
  [
    call(
      '"arguments"',
      JSON.stringify(`{"text":${JSON.stringify(`${'long, '.repeat(20)}\\"[{`)},"b":[1,2]}`),
    ),
    4,
  ],
  [call('"raw"', JSON.stringify(`{"a":"${'x'.repeat(60)}`)), 1],
  [`[${[1, 2, 3].map(() => `{"input":${JSON.stringify(`{"a":"${'x'.repeat(40)}","b":1}`)}}`).join()}]`, 6],
];

function brokenBytes(argumentText: string, piece = Number.POSITIVE_INFINITY): number {
  const size = new CallSize();
  const bytes = new TextEncoder().encode(call('"arguments"', JSON.stringify(argumentText)));
  for (let at = 0; at < bytes.length; at += piece) size.add(bytes.subarray(at, at + piece));
  return size.brokenBytes;
}

const whole = [
  '{}',
  inner,
  JSON.stringify({ a: 'x, [{', b: [1, -2.5e-7, true, false, null], 'c "d"': 'é\n/' }, null, '\t'),
  ' {"a":"b" , "c" : {}}\r\n',
  '{"a":"the text is cut',
];

/** Each hides its list from the count of elements, or is no object. */
const broken = [
  `{'a': '"', b: [1,1,1]}`,
  `{"a": '"', "b": [1,1,1]}`,
  '{"a":"x"", "1":[1,1,1]""}',
  '{"a":"x\n"1":[1,1,1]"":"}',
  '{"a":/*"*/[1,1,1]}',
  '"{\\"a\\":[1,1,1]}"',
  '[1,1,1]',
  '{a:1,e:[1,1,1]}',
  '""',
  'ls -l',
];

describe('the size of a body with calls', () => {
  it.each(whole)('finds JSON, or the beginning of it: %j', (text) => expect(brokenBytes(text)).toBe(0));

  it.each(broken)('finds bytes that are no JSON object: %j', (text) =>
    expect(brokenBytes(text)).toBe(JSON.stringify(text).length - 2),
  );

  it.each(broken)('counts all of these bytes, however they are cut: %j', (text) => {
    for (let piece = 1; piece < text.length; piece++)
      expect(brokenBytes(text, piece)).toBe(brokenBytes(text));
  });

  it.each(cases)('%s has elements in strings: %i', (text, inStrings) => {
    const [elements, found] = sizeOf(text);
    expect(found).toBe(inStrings);
    expect(elements).toBeGreaterThanOrEqual(inStrings);
  });

  it('is the same however the bytes are cut', () => {
    for (const [text] of cases)
      for (let piece = 1; piece < text.length; piece++) expect(sizeOf(text, piece)).toEqual(sizeOf(text));
  });
});
