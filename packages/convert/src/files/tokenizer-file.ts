// The file of a tokenizer, and the hash that a run is known by.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { TokenizerFile } from './block.js';
import { ConvertError, messageOf } from './convert-error.js';

/** Reads and hashes the file. Throws a ConvertError if it cannot be read. */
export function hashTokenizer(path: string): TokenizerFile {
  return { path, hash: hashOf(readText(path)) };
}

/** Reads the file, which must have the hash, and the `tokenizer_config.json` beside it, where there is one. */
export function readTokenizer({ path, hash }: TokenizerFile): { tokenizer: object; config: object } {
  const text = readText(path);
  if (hashOf(text) !== hash)
    throw new ConvertError(`${path} is not the tokenizer that the run began with`, 'input');
  return { tokenizer: readJson(text, path), config: readConfig(path) };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConvertError(`cannot read the tokenizer ${path}: ${messageOf(error)}`, 'input');
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function readJson(text: string, path: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'model' in value) return value;
  } catch (error) {
    throw new ConvertError(`${path} is no JSON: ${messageOf(error)}`, 'input');
  }
  throw new ConvertError(`${path} is no tokenizer.json: it has no member model`, 'input');
}

function readConfig(path: string): object {
  const file = join(dirname(path), `${basename(path, '.json')}_config.json`);
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
