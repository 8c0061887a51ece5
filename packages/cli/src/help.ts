// Help that teaches: what it does, examples to paste, options with defaults, what else there is to know.

import type { Command, Option } from './command.js';
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
    'Start with `dragoman tour`. `dragoman <verb> --help` explains a verb, with\nexamples. Other options: --help, --version.',
  ].join('\n');
}

export function commandHelp({ usage, about, examples, options, sections }: Command): string {
  const parts = [
    `Usage: ${colors.bold(`dragoman ${usage}`)}`,
    wrapWords(about, WIDTH).join('\n'),
    titled('Examples', examples.map(({ says, run }) => `${colors.dim(`# ${says}`)}\n${run}`).join('\n\n')),
    titled(
      'Options',
      [...options.filter(({ about }) => about !== ''), helpOption].map(optionHelp).join('\n'),
    ),
    ...sections.map(({ title, text }) => titled(title, text)),
  ];
  return parts.join('\n\n');
}

const helpOption: Option = { name: 'help', short: 'h', about: 'Print this.' };

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
