// Completion for fish: one line for each suggestion.

import type { Completes } from '../command.js';
import { type CompletableOption, type CompletableVerb, quoted } from './completable.js';

export function fishScript(verbs: readonly CompletableVerb[]): string {
  const lines = [
    '# dragoman in fish. Keep it:',
    '#   dragoman completion fish > ~/.config/fish/completions/dragoman.fish',
    '',
    'complete -c dragoman -f',
    `complete -c dragoman -n __fish_use_subcommand -l version -d 'Print the version'`,
    `complete -c dragoman -n __fish_use_subcommand -s h -l help -d 'Print help'`,
    ...verbs.map(
      ({ name, about }) => `complete -c dragoman -n __fish_use_subcommand -a ${name} -d ${fishText(about)}`,
    ),
    ...verbs.flatMap(verbLines),
  ];
  return `${lines.join('\n')}\n`;
}

function verbLines({ name, options, words }: CompletableVerb): string[] {
  const complete = `complete -c dragoman -n '__fish_seen_subcommand_from ${name}'`;
  const offered = words.length === 0 ? [] : [`${complete} ${offer(words)}`];
  return ['', ...offered, ...options.map((option) => `${complete} ${optionWords(option)}`)];
}

function optionWords({ name, short, about, value }: CompletableOption): string {
  const names = `${short === undefined ? '' : `-s ${short} `}-l ${name}`;
  const takes = value === undefined ? '' : ` -r ${offer(value)}`;
  return `${names}${takes} -d ${fishText(about)}`;
}

function offer(what: Completes): string {
  if (what === 'file') return '-F';
  if (what === 'folder') return `-f -a '(__fish_complete_directories)'`;
  return what.length === 0 ? '-f' : `-f -a ${quoted(what.join(' '))}`;
}

/** Quotes text. In single quotes, fish knows only the escapes \\' and \\\\. */
function fishText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
