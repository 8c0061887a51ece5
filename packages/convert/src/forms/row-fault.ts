// Makes the errors of a row, with the path of the field.

import { UsageError, unexpected } from '@dragoman/core/internal';

import { RowError } from './form.js';

/** Makes the error 'expected …, found …' at a path. */
export function wrongRow(path: string, expected: string, found: unknown): RowError {
  return toRowError(unexpected('bad-conversation', path, expected, found));
}

/** Rethrows a UsageError of the model's validation as a RowError. */
export function inRow<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof UsageError ? toRowError(error) : error;
  }
}

function toRowError({ code, path = '', message }: UsageError): RowError {
  const remedy =
    code === 'bad-tool-name'
      ? '. Names can be written with underscores: --rename-tools, or `renameTools`'
      : '';
  return new RowError(path, message + remedy);
}
