// The calls of `dragoman` in a document: in its examples and in its code spans.

import { blocksOf } from './documents.js';
import { spansOf } from './markdown.js';

export interface NamedCommand {
  verb: string;
  /** As they are written: `--port`, `-p`. */
  options: string[];
  text: string;
}

/** Other blocks are languages that do not call it. */
const shells = new Set(['sh', 'bash', 'text', '']);

export function commandsOf(text: string, verbs: ReadonlySet<string>): NamedCommand[] {
  const blocks = blocksOf(text).filter(({ language }) => shells.has(language));
  const lines = blocks.flatMap(({ code }) => code.replaceAll('\\\n', ' ').split('\n'));
  const spans = spansOf(text);
  const called = [...lines, ...spans].flatMap((line) =>
    line
      .split(/\||&&|;|\$\(/)
      .flatMap((part) => /(?:^|(?<!\s--[\w-]+)\s)dragoman\s+(?=[\w-])(.*)$/.exec(part)?.[1] ?? []),
  );
  const short = spans.filter((span) => verbs.has(span.split(' ')[0] ?? '') && span.includes(' -'));
  return [...called, ...short].map(readCommand);
}

/** Options of every verb may come before the verb. `--` ends the options. */
function readCommand(text: string): NamedCommand {
  const words = text.split(/\s+#\s/)[0]?.split(/\s+/) ?? [];
  const end = words.indexOf('--');
  const read = end < 0 ? words : words.slice(0, end);
  const options = read
    .filter((word) => /^(?:--[a-z]|-[a-z]$)/.test(word))
    .map((word) => word.split('=')[0] ?? '');
  return { verb: read.find((word) => !word.startsWith('-')) ?? '', options, text };
}
