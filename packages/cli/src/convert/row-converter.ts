// The door to the core: a row of text in, a row of text out, and what is to be reported of it.

import { type ConvertLine, createConvertLine, findForm, type RowError } from '@dragoman/convert';
import { isDialectFile, loadDialectFile } from '@dragoman/gateway/dialect-file';
import type { FormName, Settings } from './block.js';

export type LoadRows = (settings: Settings) => Promise<ConvertLine>;

export const loadRows: LoadRows = async ({ from, to, keep, drop, renameTools }) =>
  createConvertLine({
    from: formOf(from),
    to: formOf(to),
    ...(keep && { keep }),
    ...(drop && { drop }),
    ...(renameTools && { renameTools }),
  });

/** Throws a UsageError that says which forms there are, or that a dialect is missing. */
export function formOf({ form, dialect, options }: FormName) {
  if (dialect === undefined) return findForm(form, { ...options });
  return findForm(form, { ...options, dialect: isDialectFile(dialect) ? loadDialectFile(dialect) : dialect });
}

/** Told by name: the class may come from another copy of the module. */
export function isRowError(error: unknown): error is RowError {
  return error instanceof Error && error.name === 'RowError';
}
