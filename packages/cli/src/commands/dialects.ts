// dragoman dialects: which there are, and what one looks like.

import { type Dialect, dialects, stringifyJson, type Traits } from '@dragoman/core';
import type { Arguments } from '../arguments.js';
import type { Command } from '../command.js';
import { CommandError } from '../command-error.js';
import { spell, taughtLength } from '../example.js';
import { dialectNamed, dialectNames } from '../find-dialect.js';
import { colors, columns, writeLine } from '../terminal.js';
import { indent, padTo, wrapWords } from '../visible-text.js';

export const dialectsCommand: Command = {
  usage: 'dialects [name] [--json]',
  about:
    'Lists the dialects, that is, the formats in which models write tool calls; or shows one: a call spelled in it, what it can carry, and how long the prompt is that teaches it.',
  examples: [
    { says: 'All of them.', run: 'dragoman dialects' },
    {
      says: 'One, with an example. The names of serving engines are understood.',
      run: 'dragoman dialects glm45',
    },
    { says: 'The names, for a script.', run: 'dragoman dialects --json | grep \'"name"\'' },
  ],
  options: [{ name: 'json', about: 'Print JSON: a list, or one object. Default: text.' }],
  words: dialectNames,
  sections: [
    {
      title: 'Words',
      text: `prompt    the whole prompt of a completion endpoint, as the model's vendor
          writes it
messages  a system message that teaches the dialect to any chat endpoint
streams   arguments are delivered while they are written
ids       calls carry ids; otherwise results follow the order of the calls`,
    },
    {
      title: 'Exit codes',
      text: `0  shown
2  the command was called wrongly, or there is no such dialect`,
    },
  ],
  run,
};

async function run(args: Arguments): Promise<number> {
  if (args.words.length > 1) {
    throw new CommandError(`expected one name, found ${args.words.length}: ${args.words.join(', ')}`);
  }
  const [name] = args.words;
  if (name === undefined) await list(args.has('json'));
  else await show(dialectNamed(name), args.has('json'));
  return 0;
}

async function list(asJson: boolean): Promise<void> {
  if (asJson) await writeLine(stringifyJson(dialects.map(toJson), 'compact', 2));
  else await writeLine(dialects.map(listed).join('\n\n'));
}

const NAME_WIDTH = 15;

function listed(dialect: Dialect): string {
  const { name, about, models, aliases } = dialect;
  const width = columns() - NAME_WIDTH;
  const [first = '', ...rest] = wrapWords(about, width);
  const lines = [
    ...rest,
    ...(models.length > 0 ? wrapWords(models.join(', '), width) : []),
    ...(aliases.length > 0 ? wrapWords(`also ${aliases.join(', ')}`, width) : []).map(colors.dim),
    colors.cyan(abilities(dialect).join(' · ')),
  ];
  return `${colors.bold(padTo(name, NAME_WIDTH))}${first}\n${indent(lines.join('\n'), NAME_WIDTH)}`;
}

function abilities({ render, traits }: Dialect): string[] {
  return [
    ...(render.prompt ? ['prompt'] : []),
    'messages',
    ...(traits.streams ? ['streams'] : []),
    ...(traits.ids ? ['ids'] : []),
  ];
}

function toJson({ name, aliases, about, models, render, traits }: Dialect) {
  return {
    name,
    aliases: [...aliases],
    about,
    models: [...models],
    prompt: render.prompt !== undefined,
    messages: true,
    streams: traits.streams,
    ids: traits.ids,
    values: traits.values,
    reasoning: traits.reasoning ? { ...traits.reasoning } : null,
    stop: [...render.stop],
  };
}

async function show(dialect: Dialect, asJson: boolean): Promise<void> {
  const example = spell(dialect);
  const taught = { short: taughtLength(dialect, true), full: taughtLength(dialect, false) };
  if (asJson) {
    await writeLine(stringifyJson({ ...toJson(dialect), example: { ...example }, taught }, 'compact', 2));
    return;
  }
  const parts = [
    `${colors.bold(dialect.name)}\n${wrapWords(dialect.about, columns()).join('\n')}`,
    table([
      ['models', dialect.models.join(', ') || 'none: it is taught by a prompt'],
      ['also called', dialect.aliases.join(', ')],
    ]),
    `${colors.bold('What the model writes')}\n${indent(example.call, '  ')}`,
    `${colors.bold('What comes back')}\n${indent(example.result, '  ')}`,
    `${colors.bold('What it can do')}\n${table(inWords(dialect, taught))}`,
    `${colors.bold('Try')}\n  dragoman render --help\n  dragoman parse --help`,
  ];
  await writeLine(parts.filter((part) => part !== '').join('\n\n'));
}

const TERM_WIDTH = 14;

function table(rows: [term: string, words: string][]): string {
  const lines = rows
    .filter(([, words]) => words !== '')
    .flatMap(([term, words]) => {
      const [first = '', ...rest] = wrapWords(words, columns() - TERM_WIDTH - 2);
      return [
        `  ${colors.cyan(padTo(term, TERM_WIDTH))}${first}`,
        ...rest.map((line) => indent(line, TERM_WIDTH + 2)),
      ];
    });
  return lines.join('\n');
}

interface Taught {
  short: number;
  full: number;
}

function inWords({ render, traits }: Dialect, taught: Taught): [term: string, words: string][] {
  return [
    [
      'prompt',
      render.prompt ? "yes: the whole prompt, as the model's vendor writes it" : 'no: messages only',
    ],
    [
      'messages',
      `yes: with the tool of the example, the system message has ${taught.short} characters in its short form and ${taught.full} in full`,
    ],
    [
      'streams',
      traits.streams
        ? 'yes: arguments come while they are written'
        : 'no: a call comes when its block closes',
    ],
    [
      'ids',
      traits.ids ? 'yes: results name the call they answer' : 'no: results follow the order of the calls',
    ],
    ['values', valuesInWords(traits)],
    ['reasoning', reasoningInWords(traits)],
    [
      'text behind',
      traits.textAfterCalls === 'text'
        ? 'text behind the calls is part of the answer'
        : 'a turn ends with its calls; text behind them is set aside',
    ],
    ['results', `reach a chat endpoint in a message of the role ${traits.resultRole}`],
    ['tool names', traits.namespace ? `stand in the namespace ${traits.namespace}` : ''],
    ['stop at', render.stop.join(' ')],
  ];
}

function valuesInWords({ values }: Traits): string {
  if (values === 'json') return 'say their type themselves';
  if (values === 'attribute') return 'say by an attribute whether they are text or JSON';
  return "are text; the tool's schema says what is a number: give --tools to parse";
}

function reasoningInWords({ reasoning, startsInReasoning, callsInReasoning }: Traits): string {
  if (!reasoning) return 'none';
  const opens = startsInReasoning ? 'the prompt may open it (--thinking)' : 'the model opens it';
  const calls =
    callsInReasoning === 'never' ? 'calls in it never count' : 'calls in it count if it never closes';
  return `${reasoning.open}…${reasoning.close}; ${opens}; ${calls}`;
}
