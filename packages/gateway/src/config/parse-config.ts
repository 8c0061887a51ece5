// Parses the text of a configuration.

import type { Registry } from '@dragoman/core';
import { checkSource } from './check-source.js';
import type { GatewayConfig } from './config.js';
import type { Environment } from './environment.js';
import { type Flags, override } from './flags.js';
import type { ConfigResult } from './problem.js';
import { type Form, readSource } from './read-source.js';
import type { LoadDialect } from './source.js';

export interface ParseOptions {
  /** The file's name in problems. Default `dragoman.config.yaml`, or `.json`. */
  path?: string;
  /** Default: by the path, else YAML, which includes JSON. */
  form?: Form;
  /** Default: no variable is set. */
  env?: Environment;
  /** Take precedence over the file. */
  flags?: Flags;
  /** The dialects that can be named without a file. Default: those of the library. */
  dialects?: Registry | undefined;
  /** Reads a dialect from a file. Default: files cannot be read. */
  loadDialect?: LoadDialect;
  /** Gives the whole path of a file that the configuration names. Default: as it is written. */
  resolveFile?: (file: string) => string;
}

export function parseConfig(text: string, options: ParseOptions = {}): ConfigResult<GatewayConfig> {
  const form = options.form ?? (options.path?.endsWith('.json') ? 'json' : 'yaml');
  const { source, broken, faults } = readSource(
    stripMark(text),
    options.path ?? `dragoman.config.${form}`,
    form,
  );
  if (broken.length > 0) return { ok: false, problems: broken };
  override(source, options.flags);
  if (options.dialects) source.dialects = options.dialects;
  source.loadDialect = options.loadDialect;
  source.resolveFile = options.resolveFile;
  return checkSource(source, options.env ?? {}, faults);
}

/** Removes the byte order mark that some editors write. */
function stripMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
