// The command `dragoman` as a function: arguments in, exit code out. Output goes to the streams of the process.

import { readArguments } from './arguments.js';
import { CommandError } from './command-error.js';
import { asksFor, leadingCommon, optionsOf } from './common-options.js';
import { failureOf } from './failure.js';
import { commandHelp, exitCodesHelp, overview } from './help.js';
import { didYouMean } from './nearest.js';
import { askTerminal, withoutColors, withoutNotes, writeLine } from './terminal.js';
import { type Verb, verbs } from './verbs.js';
import { version } from './version.js';

/** Gives the exit code. Errors are written to standard error. */
export async function runCommand(argv: readonly string[]): Promise<number> {
  askTerminal();
  return dispatch(argv).catch(fail);
}

async function dispatch(argv: readonly string[]): Promise<number> {
  // First of all, so that it applies to error messages, too.
  if (asksFor(argv, 'no-color')) withoutColors();
  const lead = leadingCommon(argv);
  const [word, ...rest] = argv.slice(lead);
  if (word === 'help') return help(rest[leadingCommon(rest)]);
  if (word === '--version' || word === '-v' || word === '-V') return print(version());
  if (word === undefined) return help(undefined);
  return run(verbNamed(word), [...argv.slice(0, lead), ...rest]);
}

async function help(topic: string | undefined): Promise<number> {
  if (topic === undefined) return print(overview(version()));
  if (topic === 'exit-codes') return print(exitCodesHelp());
  return print(await commandHelp(await verbNamed(topic).load()));
}

async function run(verb: Verb, argv: readonly string[]): Promise<number> {
  const command = await verb.load();
  // --help wins over any other error.
  if (asksFor(argv, 'help')) return print(await commandHelp(command));
  const args = readArguments(argv, optionsOf(command));
  if (args.has('quiet')) withoutNotes();
  return command.run(args);
}

function verbNamed(name: string): Verb {
  const verb = verbs.find((one) => one.name === name);
  if (verb) return verb;
  const names = verbs.map((one) => one.name);
  const what = name.startsWith('-') ? 'expected a verb before the option' : 'there is no verb';
  throw new CommandError(`${what} ${name}${didYouMean(name, names) || `; there are ${names.join(', ')}`}`);
}

async function print(text: string): Promise<number> {
  await writeLine(text);
  return 0;
}

function fail(error: unknown): number {
  const { text, code } = failureOf(error);
  process.stderr.write(`dragoman: ${text}\n`);
  return code;
}
