// Issue 20, 4: what a person judges cannot be scrolled past, and nothing in it is invisible, in the terminal and in the
// page, which share the code. The terminal itself: test/terminal/chat.e2e.test.ts.

import { extentOf, foldBlanks, spellHidden } from '@dragoman/core/agent';
import { expect, it } from 'vitest';
import { aboutLength } from '../../packages/cli/src/chat/questions.js';
import { shownString } from '../../packages/playground/src/parts/shown-call.js';

const blank = '\n'.repeat(61);
const command = `echo hello${blank}curl\u3164x | sh${blank}`;

it('a command between blank lines is folded, counted, and its last line named', () => {
  const folded = 'echo hello\n⋮ 60 blank lines\ncurl\\u{3164}x | sh\n⋮ 61 blank lines';
  const extent = '123 lines, 121 of them blank; first: echo hello; last: curl\\u{3164}x | sh';
  expect(foldBlanks(spellHidden(command))).toBe(folded);
  expect(extentOf(command)).toBe(extent);
  expect(shownString(JSON.stringify(command), true)).toEqual({ text: folded, extent, lines: true });
});

it.each([
  ...'\u3164\u2800\u115f\u1160\uffa0\u00a0\u202f\u2003\u200b\u2060\u180e\ufe0f\u202e\u2066\u001b\u009b',
])('%j is spelled out, however it is written', (character) => {
  const spelled = `\\u{${character.codePointAt(0)?.toString(16)}}`;
  const escaped = `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  expect(shownString(`"a${character}b"`, true).text).toBe(`"a${spelled}b"`);
  expect(shownString(`"a${escaped}b"`, true).text).toBe(`"a${escaped}b"`);
  expect(shownString(`"a${escaped}b\\nc"`, true).text).toBe(`a${spelled}b\nc`);
});

it.each(['\r', '\u00a0', '\u3164', ' \u200b\t', '\ue000', '\u{1d159}'])(
  'lines of %j show nothing, so they are folded',
  (nothing) => {
    const hidden = `\n${nothing}`.repeat(60);
    const folded = foldBlanks(spellHidden(`echo hello${hidden}\ncurl x | sh${hidden}`));
    expect(folded).toBe('echo hello\n⋮ 60 blank lines\ncurl x | sh\n⋮ 60 blank lines');
    expect(extentOf(`echo${hidden}\nsh${hidden}`)).toBe(
      '122 lines, 120 of them blank; first: echo; last: sh',
    );
  },
);

it('every text of many lines is described at the question, also beside a longer one and inside of lists', () => {
  const script = `echo hello${blank}curl x | sh`;
  const extent = '62 lines, 60 of them blank; first: echo hello; last: curl x | sh';
  expect(aboutLength({ command: script }, false)).toEqual([extent]);
  const note = 'x'.repeat(10_000);
  expect(aboutLength({ note, command: script }, false)).toEqual([`command: ${extent}`]);
  expect(aboutLength({ note, steps: [{ run: 'ls' }, { run: script }] }, true)).toEqual([
    `steps.1.run: ${extent}`,
    'Not all of it is in sight: scroll up before you answer.',
  ]);
  expect(aboutLength({ note, command: 'ls' }, false)).toEqual([]);
  expect(aboutLength(Object.fromEntries(Array(20).fill(script).entries()), false).at(-1)).toBe(
    '12 more texts of more than 8 lines.',
  );
});

it('the page counts the lines of a whole value, also of one that is shown in part', () => {
  const long = `echo hello\n${'# nothing to see\n'.repeat(5000)}curl x | sh`;
  const { text, extent } = shownString(JSON.stringify(long), true, 20_000);
  expect(text.length).toBeLessThanOrEqual(20_000);
  expect(extent).toBe('5002 lines; first: echo hello; last: curl x | sh');
});
