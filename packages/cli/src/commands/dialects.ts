// dragoman dialects: lists the dialects, shows one, or finds that of a model.

import {
  type Detection,
  type Dialect,
  detect,
  dialects,
  indentJson,
  type Traits,
  toResponseTemplate,
  UsageError,
} from '@dragoman/core';
import type { Arguments } from '../arguments.js';
import { readEvidence } from '../choose-dialect.js';
import type { Command } from '../command.js';
import { CommandError } from '../command-error.js';
import { spell, taughtLength } from '../example.js';
import { EXIT } from '../exit-codes.js';
import { dialectNamed, dialectNames } from '../find-dialect.js';
import { readTextFile } from '../input.js';
import { colors, columns, note, write, writeLine } from '../terminal.js';
import { version } from '../version.js';
import { indent, padTo, visibleLine, wrapWords } from '../visible-text.js';
import { vllmPlugin } from '../vllm-plugin.js';

const FORMATS = ['response-template', 'vllm-plugin'] as const;

export const dialectsCommand: Command = {
  usage: 'dialects [name] [--model <name>] [--json]',
  about:
    'Lists the dialects, that is, the formats in which models write tool calls; or shows one, by its name or from a file of your own: a call spelled in it, what it can carry, and how long the prompt is that teaches it; or finds the one that a model speaks, with the reason and how sure that is.',
  examples: {
    'All of them.': 'dragoman dialects',
    'One, with an example. The names of serving engines are understood.': 'dragoman dialects glm45',
    'Which one does a model speak?': 'dragoman dialects --model Qwen/Qwen3-Coder-30B-A3B',
    'Which one is this? A sample is less certain than a name or a chat template.': `echo '<tool_call>{"name": "now", "arguments": {}}</tool_call>' > sample.txt
dragoman dialects --sample sample.txt`,
    "One as Hugging Face's response template.": 'dragoman dialects hermes --format response-template',
    'A tool parser plugin of vLLM that reads it.': `dragoman dialects glm-4.7 --format vllm-plugin > dragoman_glm.py
head -1 dragoman_glm.py`,
    'The names, for a script.': 'dragoman dialects --json | grep \'"name"\'',
  },
  options: {
    '--model <name>': 'Which dialect does a model of this name speak?',
    '--template <file>': 'Which does this chat template write, or the one in this tokenizer_config.json?',
    '--sample <file>': 'Which could have written this text? Used where name and template do not decide.',
    '--format <format>':
      "response-template: print the dialect as Hugging Face's response_template, for tokenizer_config.json; what the template cannot say is noted. vllm-plugin: print a Python file for vLLM's --tool-parser-plugin, which needs the package of clients/python.",
    '--json': 'Print JSON: a list, or one object. Default: text.',
  },
  completes: { format: FORMATS },
  words: dialectNames,
  sections: {
    Words: `prompt    the whole prompt of a completion endpoint, as the model's vendor
          writes it
messages  a system message that teaches the dialect to any chat endpoint
streams   arguments are delivered while they are written
ids       calls carry ids; otherwise results follow the order of the calls`,
    'Which one': `--model, --template and --sample are tried in this order, and the first that
leads to a dialect counts. --json prints
  {"dialect", "by", "confidence", "reason", "others"}
with the dialect null where none was found. The confidence is between 0 and 1;
\`others\` are those that fit equally well.`,
    'Exit codes': `0  shown
1  the dialect could not be determined, or has no response template
2  the command was called wrongly, or there is no such dialect
3  a file could not be read, or holds no template`,
  },
  run,
};

async function printAs(args: Arguments, name: string | undefined): Promise<number> {
  const format = args.word('format', FORMATS);
  for (const other of [...CLUES, 'json']) args.oneOf('format', other);
  if (name === undefined) throw new CommandError('--format needs the name of a dialect: add it');
  if (format !== 'vllm-plugin') return printTemplate(dialectNamed(name));
  await write(vllmPlugin(dialectNamed(name), version()));
  return EXIT.done;
}

async function printTemplate(dialect: Dialect): Promise<number> {
  try {
    const { template, left } = toResponseTemplate(dialect);
    for (const sentence of left) note(sentence);
    await writeLine(JSON.stringify({ response_template: template }, null, 2));
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    note(error.message);
    return EXIT.partial;
  }
}

async function run(args: Arguments): Promise<number> {
  if (args.words.length > 1) {
    throw new CommandError(`expected one name, found ${args.words.length}: ${args.words.join(', ')}`);
  }
  const [name] = args.words;
  if (args.has('format')) return printAs(args, name);
  if (CLUES.some((clue) => args.has(clue))) return which(args, name);
  if (name === undefined) await list(args.has('json'));
  else await show(dialectNamed(name), args.has('json'));
  return 0;
}

const CLUES = ['model', 'template', 'sample'];

/** Prints the dialect of a model, a template or a sample, and the reason. */
async function which(args: Arguments, name: string | undefined): Promise<number> {
  if (name !== undefined)
    throw new CommandError(`expected a dialect or one of --model, --template, --sample; found both: ${name}`);
  const sample = args.value('sample');
  const evidence = await readEvidence(args);
  const text = sample === undefined ? undefined : await readTextFile(sample);
  const found = detect({ ...evidence, ...(text !== undefined && { text }) });
  if (args.has('json')) await writeLine(indentJson(whichJson(found), 2));
  else await writeLine(found ? whichText(found) : 'The dialect could not be determined.');
  return found ? EXIT.done : EXIT.partial;
}

function whichJson(found: Detection | undefined) {
  if (!found) return { dialect: null };
  const { dialect, by, confidence, reason, others } = found;
  const sure = Number(confidence.toFixed(2));
  return { dialect: dialect.name, by, confidence: sure, reason, others: others.map((one) => one.name) };
}

function whichText({ dialect, confidence, reason, others }: Detection): string {
  const rows: [string, string][] = [
    ['why', visibleLine(reason)],
    ['how sure', `${Math.round(confidence * 100)} %`],
    ['equally well', others.map(({ name }) => name).join(', ')],
  ];
  return `${colors.bold(dialect.name)}\n${table(rows)}`;
}

async function list(asJson: boolean): Promise<void> {
  if (asJson) await writeLine(indentJson(dialects.map(toJson), 2));
  else await writeLine(dialects.map(listed).join('\n\n'));
}

const NAME_WIDTH = Math.max(...dialectNames.map((name) => name.length)) + 2;

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
    await writeLine(indentJson({ ...toJson(dialect), example: { ...example }, taught }, 2));
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

interface TaughtLengths {
  short: number;
  full: number;
}

function inWords({ render, traits }: Dialect, taught: TaughtLengths): [term: string, words: string][] {
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
      'text after',
      traits.textAfterCalls === 'text'
        ? 'text after the calls is part of the answer'
        : 'a turn ends with its calls; text after them is set aside',
    ],
    ['results', `reach a chat endpoint in a message of the role ${traits.resultRole}`],
    ['tool names', traits.namespace ? `are in the namespace ${traits.namespace}` : ''],
    ['stop at', render.stop.join(' ')],
  ];
}

function valuesInWords({ values }: Traits): string {
  if (values === 'json') return 'are JSON, which shows their type';
  if (values === 'attribute') return 'have an attribute that tells text from JSON';
  return "are text; the tool's schema gives their type: pass --tools to parse";
}

function reasoningInWords({ reasoning, startsInReasoning, callsInReasoning }: Traits): string {
  if (!reasoning) return 'none';
  const opens = startsInReasoning
    ? 'the prompt may open it (--thinking)'
    : 'the model opens it (--thinking: the prompt)';
  const calls =
    callsInReasoning === 'never' ? 'calls in it never count' : 'calls in it count if it never closes';
  return `${reasoning.open}…${reasoning.close}; ${opens}; ${calls}`;
}
