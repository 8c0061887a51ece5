// Parses the arguments of a verb by the options it declares.

import { parseArgs } from 'node:util';
import type { Option } from './command.js';
import { CommandError } from './command-error.js';
import { didYouMean } from './nearest.js';

export class Arguments {
  constructor(
    readonly words: readonly string[],
    private readonly given: ReadonlyMap<string, readonly string[]>,
  ) {}

  has(name: string): boolean {
    return this.given.has(name);
  }

  /** The last value of an option. */
  value(name: string): string | undefined {
    return this.given.get(name)?.at(-1);
  }

  values(name: string): readonly string[] {
    return this.given.get(name) ?? [];
  }

  /** True, false, or undefined where the option was not given. */
  choice(name: string): boolean | undefined {
    if (this.has(name) && this.has(`no-${name}`)) {
      throw new CommandError(`--${name} and --no-${name} exclude each other`);
    }
    return this.has(name) ? true : this.has(`no-${name}`) ? false : undefined;
  }

  /** At most one of these options is given: which. */
  oneOf(...names: string[]): string | undefined {
    const found = names.filter((name) => this.has(name));
    if (found.length > 1) {
      throw new CommandError(`${found.map((name) => `--${name}`).join(' and ')} exclude each other`);
    }
    return found[0];
  }

  /** The value of an option that takes one of these words. */
  word<T extends string>(name: string, words: readonly T[]): T | undefined {
    const value = this.value(name);
    if (value === undefined || words.includes(value as T)) return value as T | undefined;
    throw new CommandError(
      `--${name}: expected ${words.join(', ')}, found ${value}${didYouMean(value, words)}`,
    );
  }

  /** The value of an option that takes a whole number of at least 1, with at most so many digits. */
  count(name: string, digits: number): number | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (/^[1-9][0-9]*$/.test(value) && value.length <= digits) return Number(value);
    throw new CommandError(`--${name}: expected a whole number of at least 1, found ${value}`);
  }

  /** The file argument; undefined for standard input. */
  file(): string | undefined {
    if (this.words.length > 1) {
      throw new CommandError(`expected one file, found ${this.words.length}: ${this.words.join(', ')}`);
    }
    return this.words[0] === '-' ? undefined : this.words[0];
  }
}

/** Throws a CommandError that says what was expected, and the nearest name. */
export function readArguments(argv: readonly string[], options: readonly Option[]): Arguments {
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(options.map((option) => [option.name, optionConfig(option)])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const words: string[] = [];
  const given = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const value = checkOption(token, options);
    given.set(token.name, [...(given.get(token.name) ?? []), value]);
  }
  return new Arguments(words, given);
}

function optionConfig({ value, short }: Option) {
  return { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short && { short }) };
}

interface OptionToken {
  name: string;
  rawName: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
}

/** The option's value, or the empty string where it takes none. */
function checkOption(token: OptionToken, options: readonly Option[]): string {
  const { name, rawName, value, inlineValue } = token;
  const option = options.find((one) => one.name === name);
  if (!option) {
    const known = options.map((one) => one.name);
    const hint = didYouMean(name, known, '--') || '; --help lists the options';
    throw new CommandError(`unknown option ${rawName}${hint}`);
  }
  if (option.value === undefined) {
    if (value !== undefined) throw new CommandError(`${rawName} takes no value, found ${value}`);
    return '';
  }
  // A value that looks like an option is one that was forgotten, unless it is attached with '='.
  if (value === undefined || (!inlineValue && /^-[^\d.]/.test(value))) {
    throw new CommandError(`${rawName} needs a value: --${name} <${option.value}>`);
  }
  return value;
}
