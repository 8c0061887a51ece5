// The compressed size of the files that a browser loads.

import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { BROTLI_QUALITY } from '../../packages/gateway/src/server/page-files.js';
import { built } from './built.js';

/** As the gateway sends it. */
export function compressedSize(name: string): number {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  return brotliCompressSync(readFileSync(new URL(name, built)), { params }).length;
}

/** The size of the page, of what it has loaded, and of a worker with all that it imports at once. */
export async function firstLoad(loaded: readonly string[], worker: string): Promise<number> {
  const files = new Set(['index.html', ...loaded.map(fileOf).filter((name) => name !== ''), fileOf(worker)]);
  for (const name of files) for (const imported of importsOf(name)) files.add(imported);
  return [...files].reduce((total, name) => total + compressedSize(name), 0);
}

const fileOf = (url: string) => new URL(url).pathname.slice(1);

/** What a script imports at once, not what it may load later. */
function importsOf(name: string): string[] {
  if (!name.endsWith('.js')) return [];
  const script = readFileSync(new URL(name, built), 'utf8');
  const found = script.matchAll(
    /(?:^|;|\})(?:import|export)[^;(]{0,2000}?from"\.\/([\w.-]+)"|(?:^|;)import"\.\/([\w.-]+)"/g,
  );
  return [...found].map(([, from, bare]) => `assets/${from ?? bare}`);
}
