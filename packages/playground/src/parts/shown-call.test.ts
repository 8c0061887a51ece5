import { expect, it } from 'vitest';
import { briefly } from './briefly.js';
import { jsonTree } from './json-tree.js';
import { shownName, shownString } from './shown-call.js';

const shown = (text: string) => shownString(JSON.stringify(text), true);

it('a string of one line is shown as it is written', () => {
  expect(shown('say "hi"')).toEqual({ text: '"say \\"hi\\""' });
});

it('a string of several lines is shown as lines', () => {
  expect(shown('cd /tmp\nls')).toEqual({ text: 'cd /tmp\nls', lines: true });
  expect(shownString('"cd /tmp\\nl', false)).toEqual({ text: 'cd /tmp\nl', lines: true });
});

it('blanks are folded, and tabs with them', () => {
  expect(shown(`ls${' '.repeat(3000)}; rm -rf ~`).text).toBe('"ls⟨3000 blanks⟩; rm -rf ~"');
  expect(shown(`ls\n${'\t'.repeat(90)}rm`).text).toBe('ls\n⟨90 blanks⟩rm');
});

it('keys and folded values hide nothing, and stay in one line', () => {
  expect(shownName('a\u3164\nb')).toBe('a\\u{3164}⏎b');
  const json = '{"a\u200b":"b\u2800"}';
  expect(briefly(json, jsonTree(json)!, false)).toBe('{a\\u{200b}: "b\\u{2800}"} 1 member');
});
