// The command `dragoman`: argv in, text out. Runs when it is imported.

import { readFileSync } from 'node:fs';
import { readArguments } from './arguments.js';
import type { Option } from './command.js';
import { CommandError, isForReader } from './command-error.js';
import { EXIT } from './exit-codes.js';
import { commandHelp, overview } from './help.js';
import { didYouMean } from './nearest.js';
import { endQuietlyWithReader, writeLine } from './terminal.js';
import { type Verb, verbs } from './verbs.js';
import { visibleText } from './visible-text.js';

const help: Option = { name: 'help', short: 'h', about: '' };

/** Gives the exit code. */
async function main(argv: readonly string[]): Promise<number> {
  const [word, ...rest] = argv;
  if (word === undefined || word === '--help' || word === '-h' || word === 'help') {
    return rest[0] === undefined ? print(overview(version())) : run(verbNamed(rest[0]), ['--help']);
  }
  if (word === '--version' || word === '-v' || word === '-V') return print(version());
  return run(verbNamed(word), rest);
}

async function run(verb: Verb, argv: readonly string[]): Promise<number> {
  const command = await verb.load();
  // Whoever asks for help gets it, whatever else is wrong.
  if (asksForHelp(argv)) return print(commandHelp(command));
  return command.run(readArguments(argv, [...command.options, help]));
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? argv.length : end).some((word) => word === '--help' || word === '-h');
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

function version(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return JSON.parse(manifest).version;
}

function fail(error: unknown): number {
  if (isForReader(error)) {
    process.stderr.write(`dragoman: ${visibleText(error.message)}\n`);
    return error instanceof CommandError ? error.exitCode : EXIT.usage;
  }
  // A fault of ours: the stack is what a report needs.
  process.stderr.write(`dragoman: ${error instanceof Error ? error.stack : String(error)}\n`);
  return EXIT.internal;
}

endQuietlyWithReader();
process.exitCode = await main(process.argv.slice(2)).catch(fail);
