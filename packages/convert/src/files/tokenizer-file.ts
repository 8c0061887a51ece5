// The file of a tokenizer, and the hash that a run is known by.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { TokenizerFile } from './block.js';
import { hasChatTemplate, noTemplate } from './chat-template.js';
import { ConvertError, messageOf } from './convert-error.js';

/**
 * Reads and hashes the files. Throws a ConvertError if they cannot be read. `chat`: with the chat template, which must be
 * there.
 */
export function hashTokenizer(path: string, chat = false): TokenizerFile {
  const { text, config } = readFiles(path);
  if (chat && !hasChatTemplate(config)) throw noTemplate(path);
  const tellsDay = chat && JSON.stringify(config).includes('strftime_now');
  return {
    path,
    hash: hashOf(text, config),
    ...(chat && { chat }),
    ...(tellsDay && { day: new Date().toISOString().slice(0, 10) }),
  };
}

/** Reads the file, which must have the hash, and the `tokenizer_config.json` beside it, where there is one. */
export function readTokenizer({ path, hash }: TokenizerFile): { tokenizer: object; config: object } {
  const { text, config } = readFiles(path);
  if (hashOf(text, config) !== hash)
    throw new ConvertError(`${path} is not the tokenizer that the run began with`, 'input');
  return { tokenizer: readJson(text, path), config };
}

/** A `chat_template.jinja` takes the place of the template in the configuration, as in transformers. */
function readFiles(path: string): { text: string; config: object } {
  const config = readConfig(path);
  const [, templateFile] = filesBeside(path);
  const template = textIfThere(templateFile);
  return {
    text: readText(path),
    config: template === undefined ? config : { ...config, chat_template: template },
  };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConvertError(`cannot read the tokenizer ${path}: ${messageOf(error)}`, 'input');
  }
}

function hashOf(text: string, config: object): string {
  return createHash('sha256').update(text).update(JSON.stringify(config)).digest('hex').slice(0, 16);
}

function textIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
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

/** Gives the configuration and the chat template that may lie beside a tokenizer. */
export function filesBeside(path: string): [config: string, template: string] {
  const folder = dirname(path);
  return [join(folder, `${basename(path, '.json')}_config.json`), join(folder, 'chat_template.jinja')];
}

function readConfig(path: string): object {
  const [file] = filesBeside(path);
  try {
    const value: unknown = JSON.parse(textIfThere(file) ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
