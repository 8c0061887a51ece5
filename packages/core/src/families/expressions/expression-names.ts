// Names of tools in call expressions, and the one marker of a bare list: `[`, a name, `(`.

import { NO, NOT_YET, type TailMatcher } from '../../engine/markers.js';

const NAME_LIMIT = 128;

/** Whether a tool's name may have this character; also `$`. */
export function isNameChar(code: number): boolean {
  const lower = code | 32;
  return (
    (lower >= 97 && lower <= 122) ||
    (code >= 48 && code <= 58) ||
    code === 0x5f ||
    code === 0x2e ||
    code === 0x2d ||
    code === 0x24
  );
}

/** Gives the length of the name at `at`, up to the longest name a tool may have. */
export function nameLength(text: string, at: number): number {
  let end = at;
  while (end < text.length && end - at < NAME_LIMIT && isNameChar(text.charCodeAt(end))) end++;
  return end - at;
}

/** Matches what follows `[` in a bare list: spaces, a name and `(`. */
export const bareListTail: TailMatcher = (text, at, ended) => {
  let name = at;
  while (name < text.length && name - at < 64 && ' \t\r\n'.includes(text.charAt(name))) name++;
  const end = name + nameLength(text, name);
  let bracket = end;
  while (bracket < text.length && bracket - end < 64 && ' \t\r\n'.includes(text.charAt(bracket))) bracket++;
  if (bracket >= text.length) return ended ? NO : NOT_YET;
  return end > name && text.charAt(bracket) === '(' ? bracket + 1 - at : NO;
};
