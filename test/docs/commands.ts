// The calls of `dragoman` in a document: in its examples and in its code spans.

import { blocksOf } from './documents.js';
import { spansOf } from './markdown.js';
import { shellCommands } from './shell-words.js';

export interface NamedCommand {
  /** What stands behind `dragoman`. */
  argv: string[];
  /** A span may name an option alone, without the value it takes: `convert --queue`. */
  isSpan: boolean;
}

/** Other blocks are languages that do not call it. */
const shells = new Set(['sh', 'bash', 'text', '']);
/** A line that calls it: first, behind a variable, or behind `|` and `$(`. */
const CALLS = /^\s*(?:.*[|(]\s*)?(?:\w+=\S+ )?(?:npx )?dragoman [\w-]/;
const CALL = /(?:^|[\s(])dragoman\s+[\w-]/;

export function commandsOf(text: string, verbs: ReadonlySet<string>): NamedCommand[] {
  const blocks = blocksOf(text);
  // What an example prints was compared with what it does print.
  const printed = new Set(blocks.flatMap(({ output }) => output ?? []));
  const scripts = blocks
    .filter(({ language, code }) => shells.has(language) && !printed.has(code) && CALL.test(code))
    .map(({ language, code }) => (isProse(language) ? callLines(code) : code));
  const spans = spansOf(text);
  const isShort = (span: string) => verbs.has(span.split(' ')[0] ?? '') && span.includes(' -');
  const short = spans.filter(isShort).map((span) => `dragoman ${span}`);
  return [
    ...scripts.flatMap(shellCommands).flatMap(calledWith(false)),
    ...[...spans.filter((span) => CALL.test(span)), ...short]
      .flatMap(shellCommands)
      .flatMap(calledWith(true)),
  ];
}

/** Blocks that are not marked as shell may be drawings, whose quotes are none. */
function isProse(language: string): boolean {
  return language === 'text' || language === '';
}

/** The lines that call it, with those that they go on in. */
function callLines(code: string): string {
  const lines = code.replaceAll('\\\n', ' ').replaceAll('|\n', '| ').split('\n');
  return lines.filter((line) => CALLS.test(line)).join('\n');
}

/** The arguments, up to those of GNU parallel. As the value of an option (`--provider dragoman --model x`) it is no call. */
function calledWith(isSpan: boolean): (words: readonly string[]) => NamedCommand[] {
  return (words) => {
    const isOption = (word = '') => word.startsWith('-');
    const at = words.findIndex(
      (word, n) => word === 'dragoman' && !(isOption(words[n - 1]) && isOption(words[n + 1])),
    );
    if (at < 0 || at === words.length - 1) return [];
    const end = words.indexOf(':::');
    return [{ argv: words.slice(at + 1, end < 0 ? undefined : end), isSpan }];
  };
}
