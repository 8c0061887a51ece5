// Loads a dialect from a user's file: a declaration in YAML or JSON, or a tokenizer_config.json with a response
// template.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, resolve } from 'node:path';
import {
  all,
  type Dialect,
  type DialectDeclaration,
  defineDialect,
  fromResponseTemplate,
  type Registry,
  UsageError,
} from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';

/** Whether the name of a dialect is the path of a file: no dialect's name has a slash or such an ending. */
export function isDialectFile(name: string): boolean {
  return /[\\/]/.test(name) || ['.yaml', '.yml', '.json'].includes(extname(name).toLowerCase());
}

/**
 * Loads a dialect. Throws a UsageError with the file and the field that is wrong, or if the registry has a dialect of
 * this name.
 */
export function loadDialectFile(path: string, registry: Registry = all): Dialect {
  try {
    const dialect = declaredDialect(readDeclaration(path));
    registry.with(dialect);
    return dialect;
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(error.code, `${path}: ${error.message}`);
    throw error;
  }
}

const declarations = new WeakMap<Dialect, DialectDeclaration>();

/** Makes a dialect whose declaration `declarationOf` gives. */
export function declaredDialect(declaration: DialectDeclaration): Dialect {
  const dialect = defineDialect(declaration);
  declarations.set(dialect, declaration);
  return dialect;
}

/** Gives the declaration of a dialect that was loaded from a file, as plain data that another process can be sent. */
export function declarationOf(dialect: Dialect): DialectDeclaration | undefined {
  return declarations.get(dialect);
}

function readValue(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      'bad-dialect',
      code === 'ENOENT' ? 'there is no such file' : `cannot be read (${code})`,
    );
  }
  try {
    // yaml is loaded only here: most runs read no such file.
    const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
    return parse(text);
  } catch (error) {
    throw new UsageError('bad-dialect', `expected YAML or JSON: ${(error as Error).message}`);
  }
}

/** Gives the declaration in the file as plain data. Only `loadDialectFile` validates it. */
export function readDeclaration(path: string): DialectDeclaration {
  const value = readValue(path);
  const isTemplate = isObject(value) && (isObject(value.response_template) || isObject(value.fields));
  return isTemplate ? fromResponseTemplate(value, nameOf(path)) : (value as DialectDeclaration);
}

/** Names `models/lighthouse-7b/tokenizer_config.json` after its folder, any other file after itself. */
function nameOf(path: string): string {
  const name = basename(path, extname(path));
  return name === 'tokenizer_config' ? basename(dirname(resolve(path))) : name;
}
