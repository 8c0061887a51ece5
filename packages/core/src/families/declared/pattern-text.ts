// Translates the regular expressions of a response template, without running them: those that only describe literal
// text with named groups become such text.
//
//   <tool_call>\s*<function=(?P<name>\w+)>   ──>   <tool_call><function={name}>
//
// White space that may be anywhere is left out, since readers skip it, and so is text that is only looked ahead at. Anything else that matches more than literal
// text is refused with an error that shows the piece.

import { UsageError } from '../../model/index.js';

/** The pieces of a pattern that are understood. */
const BLANK = /^\\[sn](?:[*+?]\??)?/;
const PLACE = /^\(\?P?<(\w+)>(?:\\w|\[[^\]]*\]|\.)(?:[*+]\??|\{[0-9,]+\})?\)/;
const MAYBE = /^\(\?:[^()]*\)\?/;
const AHEAD = /^\(\?=[^()]*\)/;
const START = /^\(\?:\^\|([^()|]*)\)/;
const ESCAPED = /^\\([^\w\s])/;
const PLAIN = /^[^\\()[\]{}.*+?^$|]/;

/** Gives the text of a pattern, with `{name}` for its named groups. */
export function patternText(pattern: string, path: string): string {
  let rest = pattern;
  let text = '';
  while (rest !== '') {
    const [piece, said] = nextPiece(rest, path);
    text += said;
    rest = rest.slice(piece.length);
  }
  return text;
}

function nextPiece(rest: string, path: string): [piece: string, said: string] {
  const start = START.exec(rest);
  if (start) return [start[0], patternText(start[1] ?? '', path)];
  const place = PLACE.exec(rest);
  if (place) return [place[0], `{${place[1]}}`];
  const blank = BLANK.exec(rest) ?? MAYBE.exec(rest) ?? AHEAD.exec(rest);
  if (blank) return [blank[0], ''];
  const escaped = ESCAPED.exec(rest);
  if (escaped) return [escaped[0], escaped[1] as string];
  const plain = PLAIN.exec(rest);
  if (plain) return [plain[0], plain[0]];
  throw new UsageError(
    'bad-dialect',
    `the pattern says more than text with names in it, from ${JSON.stringify(rest.slice(0, 40))} on; write the declaration by hand, with the literal markers of the format`,
    path,
  );
}
