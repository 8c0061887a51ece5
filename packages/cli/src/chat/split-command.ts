// A command line in one string, as people write it in a shell; no shell reads it.

import { CommandError } from '../command-error.js';

export interface SplitCommand {
  command: string;
  args: string[];
  /** `NAME=value` words before the command. */
  env: Record<string, string>;
}

const assignment = /^[A-Za-z_][A-Za-z0-9_]*=/;

export function splitCommand(text: string, platform = process.platform): SplitCommand {
  const words = wordsOf(text, platform === 'win32');
  const start = words.findIndex((word) => !assignment.test(word));
  const [command, ...args] = start < 0 ? [] : words.slice(start);
  if (command === undefined) throw new CommandError('--mcp: expected a command or a URL, found none');
  const env = words.slice(0, start).map((word) => {
    const at = word.indexOf('=');
    return [word.slice(0, at), word.slice(at + 1)] as const;
  });
  return { command, args, env: Object.fromEntries(env) };
}

/** Spaces part words, unless they are quoted or, where paths have none, behind a backslash. */
function wordsOf(text: string, hasPathsWithBackslash: boolean): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    const escapes = character === '\\' && !(hasPathsWithBackslash && text[at + 1] !== '"');
    if (escapes && quote !== "'" && at + 1 < text.length) word = (word ?? '') + text[++at];
    else if (quote !== '') {
      if (character === quote) quote = '';
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === ' ' || character === '\t' || character === '\n') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote !== '') throw new CommandError(`--mcp: a ${quote} is not closed`);
  return word === undefined ? words : [...words, word];
}
