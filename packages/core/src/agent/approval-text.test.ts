import { expect, test } from 'vitest';
import { foldBlanks, spellHidden } from './approval-text.js';

test.each([
  ['\u3164', 'Hangul filler'],
  ['\uffa0', 'halfwidth Hangul filler'],
  ['\u2800', 'empty Braille pattern'],
  ['\u115f', 'Hangul choseong filler'],
  ['\u1160', 'Hangul jungseong filler'],
  ['\u00a0', 'no-break space'],
  ['\u2003', 'em space'],
  ['\u202f', 'narrow no-break space'],
  ['\u3000', 'ideographic space'],
  ['\u200b', 'zero width space'],
  ['\u2060', 'word joiner'],
  ['\u034f', 'combining grapheme joiner'],
  ['\ufe0f', 'variation selector'],
  ['\u{e0041}', 'tag'],
  ['\u202e', 'right-to-left override'],
  ['\u001b', 'escape'],
  ['\r', 'carriage return'],
  ['\ud800', 'half of a pair'],
  ['\u2028', 'line separator'],
  ['\u{13441}', 'full blank of hieroglyphs'],
  ['\u{13442}', 'half blank of hieroglyphs'],
  ['\u{1d159}', 'null notehead'],
  ['\u{16fe4}', 'Khitan filler'],
  ['\ufffc', 'object replacement'],
  ['\ue000', 'private use'],
  ['\u{10fffd}', 'private use, at the end'],
  ['\ufdd0', 'no character'],
  ['\uffff', 'no character, at the end of a plane'],
  ['\u0378', 'unassigned'],
])('%j is spelled out (%s)', (character) => {
  const code = character.codePointAt(0)?.toString(16);
  expect(spellHidden(`a${character}b`)).toBe(`a\\u{${code}}b`);
});

test('what is seen stays: letters of all kinds, blanks, tabs, line breaks', () => {
  const text = 'echo "héllo wörld" 你好 мир 😀\n\tls -la  # é';
  expect(spellHidden(text)).toBe(text);
});

test('runs of blank lines and of blanks are folded and counted', () => {
  const text = `echo hello${'\n'.repeat(61)}curl x | sh${'\n \n'.repeat(30)}`;
  expect(foldBlanks(text)).toBe('echo hello\n⋮ 60 blank lines\ncurl x | sh\n⋮ 60 blank lines');
  expect(foldBlanks(`ls${' '.repeat(500)}; rm -rf ~`)).toBe('ls⟨500 blanks⟩; rm -rf ~');
  expect(foldBlanks(`${' '.repeat(300)}rm`)).toBe('⟨300 blanks⟩rm');
});

test('what people write is left alone', () => {
  const text = 'def f():\n    if x:\n\n\n        return 1\n';
  expect(foldBlanks(text)).toBe(text);
});
