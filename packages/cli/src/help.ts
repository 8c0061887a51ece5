// Formats the help of a verb: what it does, examples to paste, options with defaults, notes.

import type { Command, Option } from './command.js';
import { optionsOf } from './common-options.js';
import { EXIT } from './exit-codes.js';
import { colors } from './terminal.js';
import { verbs } from './verbs.js';
import { indent, padTo, wrapWords } from './visible-text.js';

const WIDTH = 80;

export function overview(version: string): string {
  const width = Math.max(...verbs.map(({ name }) => name.length));
  return [
    `${colors.bold('dragoman')} ${version}: tool calls for models that only write text.`,
    '',
    'Usage: dragoman <verb> [options]',
    '',
    ...verbs.map(({ name, about }) => `  ${colors.bold(padTo(name, width))}  ${about}`),
    '',
    'Start with `dragoman tour`. `dragoman <verb> --help` explains a verb, with\nexamples. Options of every verb: --quiet, --no-color, --help. Also: --version.',
    '',
    titled('Exit codes', showExitTable(WIDTH - 2)),
  ].join('\n');
}

export function exitCodesHelp(): string {
  const about = 'How a verb ended, for scripts. The same numbers mean the same in every verb.';
  return `${about}\n\n${titled('Exit codes', showExitTable(WIDTH - 2))}`;
}

export async function commandHelp(command: Command): Promise<string> {
  const { usage, about, examples, sections } = command;
  const texts = Object.entries(sections).map(async ([title, text]) => {
    return titled(title, typeof text === 'string' ? text : await text());
  });
  const shown = Object.entries(examples).map(([says, run]) => `${colors.dim(`# ${says}`)}\n${run}`);
  const parts = [
    `Usage: ${colors.bold(`dragoman ${usage}`)}`,
    wrapWords(about, WIDTH).join('\n'),
    titled('Examples', shown.join('\n\n')),
    titled('Options', optionsOf(command).map(optionHelp).join('\n')),
    ...(await Promise.all(texts)),
  ];
  return parts.join('\n\n');
}

function titled(title: string, text: string): string {
  return `${colors.bold(title)}\n${indent(text, 2)}`;
}

const OPTION_WIDTH = 24;

function optionHelp({ name, short, value, about }: Option): string {
  const names = `${short ? `-${short}, ` : ''}--${name}${value === undefined ? '' : ` <${value}>`}`;
  const [first = '', ...rest] = wrapWords(about, WIDTH - OPTION_WIDTH - 2);
  const fits = names.length < OPTION_WIDTH - 1;
  const lines = fits ? [padTo(names, OPTION_WIDTH) + first] : [names, ' '.repeat(OPTION_WIDTH) + first];
  return [...lines, ...rest.map((line) => ' '.repeat(OPTION_WIDTH) + line)].join('\n');
}

const meanings: Record<keyof typeof EXIT, string> = {
  done: 'Everything was done.',
  partial: 'Done, but not all of it: issues in what was read, or rows that were set aside.',
  usage: 'The command was called wrongly. The message states what was expected.',
  input: 'The input is missing or invalid.',
  upstream: "The model's server, a tool's server or the queue did not answer, or refused.",
  internal: 'A fault of the command itself: please report it, with what it printed.',
  stopped: 'Stopped by Ctrl-C.',
};

const CODE_WIDTH = 5;
const NAME_WIDTH = 10;

/** The exit codes in words, as the help and the documentation print them. */
export const exitTable = Object.entries(meanings).map(([name, means]) => {
  return { code: EXIT[name as keyof typeof EXIT], name, means };
});

function showExitTable(width: number): string {
  const margin = CODE_WIDTH + NAME_WIDTH;
  const rows = exitTable.map(({ code, name, means }) => {
    const [first = '', ...rest] = wrapWords(means, width - margin);
    const head = `${padTo(String(code), CODE_WIDTH)}${padTo(name, NAME_WIDTH)}${first}`;
    return [head, ...rest.map((line) => indent(line, margin))].join('\n');
  });
  return rows.join('\n');
}
