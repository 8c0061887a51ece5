// The options that every verb has.

import type { Command, Option } from './command.js';

const common: readonly Option[] = [
  { name: 'quiet', short: 'q', about: 'No notes and no progress. Errors are still printed. Default: off.' },
  { name: 'no-color', about: 'No colours, as with NO_COLOR in the environment.' },
  { name: 'help', short: 'h', about: 'Print this.' },
];

/** The options of a verb and those of every verb. Where both declare one, the verb's own counts. */
export function optionsOf({ options }: Pick<Command, 'options'>): Option[] {
  const own = new Set(options.map(({ name }) => name));
  const taken = new Set(options.map(({ short }) => short));
  const rest = common.filter(({ name }) => !own.has(name));
  return [...options, ...rest.map((option) => (taken.has(option.short) ? withoutShort(option) : option))];
}

function withoutShort({ name, about }: Option): Option {
  return { name, about };
}

/** The number of leading words that are common options: they may come before the verb, too. */
export function leadingCommon(argv: readonly string[]): number {
  const known = new Set(common.flatMap(({ name, short }) => [`--${name}`, ...(short ? [`-${short}`] : [])]));
  const at = argv.findIndex((word) => !known.has(word));
  return at < 0 ? argv.length : at;
}

/** Whether an option that takes no value is given, whatever else is wrong with the words. */
export function asksFor(argv: readonly string[], name: string): boolean {
  const short = common.find((option) => option.name === name)?.short;
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  return words.some((word) => word === `--${name}` || (short !== undefined && word === `-${short}`));
}
