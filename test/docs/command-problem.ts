// What is wrong with a call of `dragoman` in a document, by the option parser of the command itself.

import { forms } from '@dragoman/convert';
import { findDialect } from '@dragoman/core';
import { type Arguments, readArguments } from '../../packages/cli/src/arguments.js';
import type { Command, Option } from '../../packages/cli/src/command.js';
import { asksFor, leadingCommon, optionsOf } from '../../packages/cli/src/common-options.js';
import { verbs } from '../../packages/cli/src/verbs.js';
import type { NamedCommand } from './commands.js';

/** Something of the reader's: `<name>`, `URL`, `…`, `$QUEUE`, GNU parallel's `{}`. */
const PLACEHOLDER = /^(?:[A-Z]+|…)$|<.+>|\$|\{\}/;
/** Options that take other values than those that the shell completes. */
const MORE_VALUES: ReadonlySet<string> = new Set(['workers', 'suite']);

/** A sentence; or undefined, where the command would begin its work. */
export async function commandProblem({ argv, isSpan }: NamedCommand): Promise<string | undefined> {
  const lead = leadingCommon(argv);
  const [word = '', ...rest] = argv.slice(lead);
  if (word === '' || word === '--version') return undefined;
  const isHelp = word === 'help';
  const topic = isHelp ? (rest[0] ?? '') : word;
  if (isHelp && (topic === '' || topic === 'exit-codes' || PLACEHOLDER.test(topic))) return undefined;
  const verb = verbs.find(({ name }) => name === topic);
  if (!verb) return `there is no verb ${topic}`;
  if (isHelp || asksFor(rest, 'help')) return undefined;
  const command = await verb.load();
  const options = optionsOf(command);
  const given = [...argv.slice(0, lead), ...rest];
  try {
    const args = readArguments(isSpan ? withValue(given, options) : given, options);
    return wrongWords(args, command) ?? wrongValue(args, options);
  } catch (error) {
    return (error as Error).message;
  }
}

/** The last option of a span may lack its value. */
function withValue(argv: readonly string[], options: readonly Option[]): string[] {
  const last = options.find(({ name, short }) => [`--${name}`, `-${short}`].includes(argv.at(-1) ?? ''));
  return last?.value === undefined ? [...argv] : [...argv, '…'];
}

/** Files, names and addresses, where the usage has them. */
function wrongWords({ words }: Arguments, { usage }: Command): string | undefined {
  const takesWords = /^\w+ (?:\[[a-z]|<|\w+\|)/.test(usage);
  return takesWords || words.length === 0 ? undefined : `expected options only, found ${words.join(' ')}`;
}

function wrongValue(args: Arguments, options: readonly Option[]): string | undefined {
  for (const option of options)
    for (const value of args.values(option.name))
      if (!PLACEHOLDER.test(value) && !isValue(option, value)) return `--${option.name} takes no ${value}`;
  return undefined;
}

function isValue({ name, value: kind, completes }: Option, value: string): boolean {
  if (name === 'dialect') return value === 'auto' || isDialect(value);
  if (kind === 'form') return isForm(value);
  if (Array.isArray(completes) && !MORE_VALUES.has(name))
    return value.split(',').every((one) => completes.includes(one));
  return kind !== 'n' || /^(?:\d+(?:\.\d+)?|auto|default)$/.test(value);
}

/** By name or in a file. */
function isDialect(name: string): boolean {
  if (/\.(?:ya?ml|json)$/.test(name)) return true;
  try {
    return findDialect(name) !== undefined;
  } catch {
    return false;
  }
}

/** `openai`, `prompt:glm-4.5`. */
function isForm(text: string): boolean {
  const [name, ...dialect] = text.split(':');
  const form = forms.find((one) => one.name === name);
  if (!form) return false;
  return form.needsDialect ? isDialect(dialect.join(':')) : dialect.length === 0;
}
