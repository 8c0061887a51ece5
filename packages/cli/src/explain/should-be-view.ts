// Shows what the model should have written, as a diff to what it wrote.

import type { Places } from '../places.js';
import { colors } from '../terminal.js';
import { cutLines, indent, visibleLine, visibleText, widthOf, wrapWords } from '../visible-text.js';
import type { Explanation } from './explain-text.js';
import { type DiffLine, diffLines } from './line-diff.js';
import type { ShouldBe } from './should-be.js';

/** Groups of calls that are shown. */
const MOST = 8;
const MOST_LINES = 40;

/** Gives no text where there is nothing to compare. */
export function showShouldBe(
  { text, shouldBe, verdict }: Explanation,
  places: Places,
  width: number,
): string[] {
  if (shouldBe.length === 0) return [];
  const title = colors.bold(`How ${verdict.best.dialect.name} spells it`);
  const shown = shouldBe.slice(0, MOST).map((one) => showOne(one, text, places, width));
  const more = shouldBe.length - MOST;
  return [[title, ...shown, ...(more > 0 ? [colors.dim(`  and ${more} more: see --json`)] : [])].join('\n')];
}

function showOne(one: ShouldBe, text: string, places: Places, width: number): string {
  const { line, column } = places.of(one.range[0]);
  const head = `  ${line}:${column}  `;
  const said = (words: string) => wrapWords(words, width - head.length).join(`\n${' '.repeat(head.length)}`);
  if (one.text === undefined) return `${head}${said(visibleLine(`Not known: ${one.reason ?? ''}.`))}`;
  const written = text.slice(...one.range);
  const notes = notesOf(one);
  if (written === one.text) return `${head}${said(['Exactly as it was written.', ...notes].join(' '))}`;
  if (withoutSpace(written) === withoutSpace(one.text))
    return `${head}${said(['As it was written, but for white space, which makes no difference here.', ...notes].join(' '))}`;
  const lines = diffLines(written, one.text);
  const body = lines ? lines.flatMap((diff) => showDiff(diff, width - 4)) : whole(one.text, width - 4);
  const how = lines ? '- is what was written, + what it should be.' : 'In full, since it is long:';
  return `${head}${said([how, ...notes].join(' '))}\n${indent(body.join('\n'), 4)}`;
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s/g, '');
}

function notesOf({ salvaged, missing }: ShouldBe): string[] {
  return [
    ...(salvaged > 0
      ? ['A call that was cut off is closed at the cut; what it would have held is not known.']
      : []),
    ...(missing > 0
      ? [`Left out: ${missing === 1 ? 'a call that' : `${missing} calls that`} could not be read.`]
      : []),
  ];
}

function whole(text: string, width: number): string[] {
  const lines = cutLines(visibleText(text).replaceAll('\t', '⇥'), width);
  const more = lines.length - MOST_LINES;
  return [
    ...lines.slice(0, MOST_LINES),
    ...(more > 0 ? [colors.dim(`and ${more} more lines: see --json`)] : []),
  ];
}

function showDiff({ kind, text, marks }: DiffLine, width: number): string[] {
  const sign = { same: ' ', old: '-', new: '+' }[kind];
  const paint = { same: colors.dim, old: colors.red, new: colors.green }[kind];
  const lines = cutLines(visibleLine(text), width - 2).map((line, at) =>
    paint(`${at === 0 ? sign : ' '} ${line}`.trimEnd()),
  );
  // Carets would not align under a line that is wrapped.
  if (marks.length === 0 || lines.length > 1) return lines;
  return [...lines, `  ${colors.cyan(caretsUnder(text, marks))}`];
}

function caretsUnder(text: string, marks: DiffLine['marks']): string {
  let line = '';
  let at = 0;
  for (const [start, end] of marks) {
    line += ' '.repeat(widthOf(visibleLine(text.slice(at, start))));
    line += '^'.repeat(Math.max(1, widthOf(visibleLine(text.slice(start, end)))));
    at = end;
  }
  return line;
}
