// A dialect from a file of the user's: a declaration in YAML or JSON, or a tokenizer_config.json with a response template.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, resolve } from 'node:path';
import {
  all,
  type Dialect,
  defineDialect,
  fromResponseTemplate,
  type Registry,
  UsageError,
} from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';

/** Whether what stands for a dialect is the path of a file: no name has a slash or such an ending. */
export function isDialectFile(name: string): boolean {
  return /[\\/]/.test(name) || ['.yaml', '.yml', '.json'].includes(extname(name).toLowerCase());
}

/** A UsageError says which file and which field is wrong, or that another dialect of the registry has its name. */
export function loadDialectFile(path: string, registry: Registry = all): Dialect {
  try {
    const dialect = toDialect(readValue(path), path);
    registry.with(dialect);
    return dialect;
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(error.code, `${path}: ${error.message}`);
    throw error;
  }
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
    // Loaded only here: most runs read no such file.
    const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
    return parse(text);
  } catch (error) {
    throw new UsageError('bad-dialect', `expected YAML or JSON: ${(error as Error).message}`);
  }
}

function toDialect(value: unknown, path: string): Dialect {
  const isTemplate = isObject(value) && (isObject(value.response_template) || isObject(value.fields));
  return defineDialect(isTemplate ? fromResponseTemplate(value, nameOf(path)) : value);
}

/** `models/lighthouse-7b/tokenizer_config.json` is called after its folder, any other file after itself. */
function nameOf(path: string): string {
  const name = basename(path, extname(path));
  return name === 'tokenizer_config' ? basename(dirname(resolve(path))) : name;
}
