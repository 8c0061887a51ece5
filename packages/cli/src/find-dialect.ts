import { all, type Dialect, dialects, type Registry, UsageError } from '@dragoman/core';
import { isDialectFile, loadDialectFile } from '@dragoman/gateway/dialect-file';
import { CommandError } from './command-error.js';
import { didYouMean } from './nearest.js';

export const dialectNames: readonly string[] = dialects.map(({ name }) => name);
/** What `--dialect` takes, for completion. */
export const dialectChoices: readonly string[] = ['auto', ...dialectNames];

/** All dialects, and the one that was read from a file. */
export function withDialect(dialect: Dialect | undefined): Registry {
  return dialect === undefined || dialects.includes(dialect) ? all : all.with(dialect);
}

/** The dialect of this name, or in this file; or an error with the nearest name. */
export function dialectNamed(name: string, known: Registry = all): Dialect {
  try {
    return isDialectFile(name) ? loadDialectFile(name, known) : known.find(name);
  } catch (error) {
    if (error instanceof UsageError && error.code === 'bad-dialect') throw new CommandError(error.message);
    if (!(error instanceof UsageError) || error.code !== 'unknown-dialect') throw error;
    const names = known.dialects.flatMap((dialect) => [dialect.name, ...dialect.aliases]);
    const near = didYouMean(name, names) || '.';
    throw new CommandError(
      `no dialect is called ${JSON.stringify(name)}${near} \`dragoman dialects\` lists them`,
    );
  }
}

/** The dialect `--dialect` names; undefined where it is not given. */
export function dialectOption(name: string | undefined): Dialect | undefined {
  return name === undefined ? undefined : dialectNamed(name);
}

export function missingDialect(): CommandError {
  return new CommandError('which dialect? Add --dialect <name>; `dragoman dialects` lists them');
}
