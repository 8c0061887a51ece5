// Loads the configuration of a folder, or a given file.

import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Registry } from '@dragoman/core';
import { setMember } from '@dragoman/core/internal';
import { checkSource } from './check-source.js';
import type { GatewayConfig } from './config.js';
import { loadDialectFile } from './dialect-file.js';
import type { Environment } from './environment.js';
import { type Flags, override } from './flags.js';
import { parseConfig } from './parse-config.js';
import type { ConfigResult, Problem } from './problem.js';
import { type LoadDialect, Source } from './source.js';

export const configNames: readonly string[] = ['yaml', 'yml', 'json', 'ts', 'js', 'mjs'].map(
  (extension) => `dragoman.config.${extension}`,
);

export interface LoadOptions {
  /** Default: the environment of the process. */
  env?: Environment;
  flags?: Flags;
  /** The dialects that can be named without a file. Default: those of the library. */
  dialects?: Registry | undefined;
}

export type LoadResult = ConfigResult<GatewayConfig> & {
  /** The absolute path of the file. */
  path: string;
  /** The absolute paths of the dialect files it names, valid or not. */
  dialectFiles: readonly string[];
  /** What the file had; absent if it could not be read. */
  text?: string;
};

/** Finds the first configuration file in a folder. Gives its absolute path. */
export async function findConfig(folder = '.'): Promise<string | undefined> {
  for (const name of configNames) {
    const path = resolve(folder, name);
    if ((await kindOf(path)) === 'file') return path;
  }
  return undefined;
}

/** Loads a file, or the one in a folder. An unreadable file is a problem of the result: nothing is thrown. */
export async function loadConfig(path = '.', options: LoadOptions = {}): Promise<LoadResult> {
  const kind = await kindOf(path);
  if (kind === 'folder') {
    const found = await findConfig(path);
    if (found !== undefined) return loadFile(found, options);
    return failed(
      resolve(path),
      `found no configuration in this folder`,
      `Looked for ${configNames.join(', ')}.`,
    );
  }
  if (kind === undefined) return failed(resolve(path), 'there is no such file');
  return loadFile(resolve(path), options);
}

async function loadFile(path: string, options: LoadOptions): Promise<LoadResult> {
  const extension = extname(path).slice(1);
  if (['ts', 'mts', 'js', 'mjs'].includes(extension)) return loadProgram(path, options);
  if (!['yaml', 'yml', 'json'].includes(extension)) {
    return failed(path, 'expected a file that ends in .yaml, .yml, .json, .ts, .js or .mjs');
  }
  try {
    return readText(await readFile(path, 'utf8'), path, options);
  } catch (error) {
    return failed(path, `this file cannot be read (${codeOf(error)})`);
  }
}

/** Reads a file that is data. */
function readText(text: string, path: string, options: LoadOptions): LoadResult {
  const { env = process.env, flags = {}, dialects } = options;
  return withDialects(path, text, (loadDialect) =>
    parseConfig(text, {
      path: shownPath(path),
      env,
      flags,
      dialects,
      loadDialect,
      resolveFile: besides(path),
    }),
  );
}

/** Loads a file that is a program. Node caches modules by their address, so a changed one needs another address. */
async function loadProgram(
  path: string,
  { env = process.env, flags, dialects }: LoadOptions,
): Promise<LoadResult> {
  const source = new Source(shownPath(path));
  let text: string;
  try {
    text = await readFile(path, 'utf8');
    const version = createHash('sha256').update(text).digest('hex').slice(0, 16);
    const module: { default?: unknown } = await import(`${pathToFileURL(path).href}?version=${version}`);
    if (module.default === undefined) return failed(path, 'expected export default defineConfig({ … })');
    source.value = plainValue(module.default);
  } catch (error) {
    return failed(path, programFault(path, error), typeScriptHint(path, error));
  }
  override(source, flags);
  return withDialects(path, text, (loadDialect) => {
    if (dialects) source.dialects = dialects;
    source.loadDialect = loadDialect;
    source.resolveFile = besides(path);
    return checkSource(source, env);
  });
}

const MAX_DEPTH = 64;

/** Copies what a program exports, as data; functions and the like stay, and are refused by the shape. */
function plainValue(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) throw new RangeError('the configuration is nested too deeply, or holds itself');
  if (Array.isArray(value)) return value.map((item) => plainValue(item, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) setMember(copy, key, plainValue(member, depth + 1));
  }
  return copy;
}

/** Files of models are found relative to the configuration. */
function besides(path: string): (file: string) => string {
  return (file) => resolve(dirname(path), file);
}

/** Dialect files are found relative to the configuration. */
function withDialects(
  path: string,
  text: string,
  check: (loadDialect: LoadDialect) => ConfigResult<GatewayConfig>,
): LoadResult {
  const dialectFiles: string[] = [];
  const result = check((file, registry) => {
    const full = resolve(dirname(path), file);
    dialectFiles.push(full);
    return loadDialectFile(full, registry);
  });
  return { path, dialectFiles, text, ...result };
}

/** Gives the first line of the error; the program's own output is not repeated. */
function programFault(path: string, error: unknown): string {
  if (isUnknownExtension(error)) return 'this version of Node does not run TypeScript';
  const [first = ''] = String(error instanceof Error ? error.message : error).split('\n');
  return `${basename(path)} failed: ${first.slice(0, 200)}`;
}

function typeScriptHint(path: string, error: unknown): string | undefined {
  if (isUnknownExtension(error)) {
    return `TypeScript needs Node 22.18 or later; this is ${process.version}. Use .js or .mjs, or YAML.`;
  }
  const unsupported = codeOf(error) === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX';
  return unsupported && path.endsWith('ts') ? 'Node removes types only: no enum, no namespace.' : undefined;
}

function isUnknownExtension(error: unknown): boolean {
  return codeOf(error) === 'ERR_UNKNOWN_FILE_EXTENSION';
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown';
}

function failed(path: string, message: string, hint?: string): LoadResult {
  const problem: Problem = { file: shownPath(path), path: '', message, ...(hint !== undefined && { hint }) };
  return { path, dialectFiles: [], ok: false, problems: [problem] };
}

/** Gives the path relative to the working directory, if it is below it. */
function shownPath(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' || near.startsWith('..') ? path : near;
}

async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch {
    return undefined;
  }
}
