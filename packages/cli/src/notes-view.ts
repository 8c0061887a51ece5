// Formats an issue or repair with its line and column, and carets under the text.

import type { Range } from '@dragoman/core';
import type { Places } from './places.js';
import { colors } from './terminal.js';
import { indent, visibleLine, wrapWords } from './visible-text.js';

/** More are counted, not shown. */
const SHOWN = 20;

export function showList<T>(
  what: string,
  list: readonly T[],
  show: (one: T) => string,
  several = `${what}s`,
): string {
  const head = colors.bold(`${list.length.toLocaleString('en')} ${list.length === 1 ? what : several}`);
  const rest =
    list.length > SHOWN
      ? [colors.dim(`  and ${(list.length - SHOWN).toLocaleString('en')} more: see --json`)]
      : [];
  return [head, ...list.slice(0, SHOWN).map(show), ...rest].join('\n');
}

/** `head` is printed as it is; the sentences are made harmless and wrapped. */
export function showPlace(
  head: string,
  sentences: readonly string[],
  range: Range,
  places: Places,
  width: number,
): string {
  const { line, column } = places.of(range[0]);
  const said = sentences.flatMap((sentence) => wrapWords(visibleLine(sentence), width - 4));
  const [text, carets] = places.excerpt(range, width - 4);
  return [
    `  ${line}:${column}  ${head}`,
    ...said.map((words) => indent(words, 4)),
    `    ${colors.dim(text)}`,
    `    ${colors.cyan(carets)}`,
  ].join('\n');
}
