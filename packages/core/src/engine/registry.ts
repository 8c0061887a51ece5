// An immutable registry of dialects that finds them by name.

import { UsageError } from '../model/index.js';
import type { Dialect } from './dialect.js';

export interface Registry<Name extends string = string> {
  readonly dialects: readonly Dialect[];
  /**
   * Finds a dialect by its name or by a serving engine's name for it. Case, `-`, `_` and `.` make no difference.
   * Throws a UsageError that lists the names if there is none.
   */
  find(name: Name): Dialect;
  has(name: string): boolean;
  /** Gives a registry with these added. A dialect of the same name is replaced; an alias of another is an error. */
  with(...more: readonly Dialect[]): Registry;
}

export function createRegistry<Name extends string>(dialects: readonly Dialect<Name>[]): Registry<Name> {
  const byName = namesOf(dialects);
  return {
    dialects,
    find(name) {
      const found = byName.get(plainName(name));
      if (found) return found;
      const names = dialects.map((dialect) => dialect.name).join(', ');
      throw new UsageError(
        'unknown-dialect',
        `no dialect is called ${JSON.stringify(name)}; there are ${names}`,
      );
    },
    has: (name) => byName.has(plainName(name)),
    with: (...more) => createRegistry(more.reduce(added, dialects)),
  };
}

/** Maps names and aliases. Names take precedence: an alias never hides the name of another dialect. */
function namesOf(dialects: readonly Dialect[]): Map<string, Dialect> {
  const byName = new Map(dialects.map((dialect) => [plainName(dialect.name), dialect]));
  for (const dialect of dialects)
    for (const alias of dialect.aliases)
      if (!byName.has(plainName(alias))) byName.set(plainName(alias), dialect);
  return byName;
}

function added(dialects: readonly Dialect[], dialect: Dialect): readonly Dialect[] {
  const taken = namesOf(dialects).get(plainName(dialect.name));
  if (taken && taken.name !== dialect.name)
    throw new UsageError('bad-dialect', `${taken.name} has this name, too`, 'name');
  return [...dialects.filter((one) => one !== taken), dialect];
}

function plainName(name: string): string {
  return String(name).toLowerCase().replaceAll('-', '').replaceAll('_', '').replaceAll('.', '');
}
