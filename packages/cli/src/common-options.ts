// The options that every verb has.

import type { Command, Option, OptionTable } from './command.js';

const common = readTable({
  '-q, --quiet': 'No notes and no progress. Errors are still printed. Default: off.',
  '--no-color': 'No colours, as with NO_COLOR in the environment.',
  '-h, --help': 'Print this.',
});

/** The options of a verb and those of every verb. Where both declare one, the verb's own counts. */
export function optionsOf({ options, completes }: Pick<Command, 'options' | 'completes'>): Option[] {
  const own = readTable(options, completes);
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...common.filter(({ name }) => !names.has(name))];
}

/** Reads the keys of a table: `-o, --output <path> …`. */
function readTable(table: OptionTable, completes: Command['completes'] = {}): Option[] {
  return Object.entries(table).map(([key, about]) => {
    const [, short, name = '', value, many] = /^(?:-(\w), )?--([\w-]+)(?: <(.+)>)?( …)?$/.exec(key) ?? [];
    const offered = completes[name] ?? (value === 'file' || value === 'folder' ? value : undefined);
    return {
      name,
      ...(short && { short }),
      ...(value && { value }),
      ...(offered && { completes: offered }),
      many: many !== undefined,
      about,
    };
  });
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
