// The browser bundle of an entry of core, '@dragoman/core/small' unless another is named: its size, and the imports that
// are left in it.

import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type OutputChunk, rolldown } from 'rolldown';

interface BundleSize {
  raw: number;
  gzip: number;
  brotli: number;
}

export interface Bundle {
  /** What is loaded when core is imported. */
  core: BundleSize;
  /** What `renderTemplate` loads when it is first used, the engine itself not among it. */
  later: BundleSize;
  /** Imports that were left to the host. */
  externals: string[];
  /** Those of them that only Node has. */
  builtins: string[];
  /** The largest files, by their size in the bundle before it is minified. */
  largest: { path: string; bytes: number }[];
}

const ENGINE = '@huggingface/jinja';

export async function bundleCore(entry = smallEntry()): Promise<Bundle> {
  const build = await rolldown({
    input: entry,
    platform: 'browser',
    external: [ENGINE, /^node:/, ...builtinModules],
    logLevel: 'silent',
  });
  // Annotations are for the next bundler, and no page is sent them.
  const { output } = await build.generate({
    format: 'esm',
    minify: true,
    comments: { annotation: false },
  });
  await build.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  const loaded = loadedWith(chunks);
  const names = new Set(chunks.map(({ fileName }) => fileName));
  const imports = chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]);
  const externals = [...new Set(imports.filter((name) => !names.has(name)))];
  return {
    // Compressed when asked for: that takes longer than to bundle.
    get core() {
      return sizeOf(chunks.filter((chunk) => loaded.has(chunk.fileName)));
    },
    get later() {
      return sizeOf(chunks.filter((chunk) => !loaded.has(chunk.fileName)));
    },
    externals,
    builtins: externals.filter((name) => name.startsWith('node:') || builtinModules.includes(name)),
    largest: heaviest(chunks.filter((chunk) => loaded.has(chunk.fileName))).slice(0, 12),
  };
}

/** Finds the entry that bundlers for browsers take for '@dragoman/core/small', by its package.json. */
function smallEntry(): string {
  const folder = new URL('../../packages/core/', import.meta.url);
  const { exports } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'));
  return fileURLToPath(new URL(exports['./small'].default, folder));
}

function heaviest(chunks: readonly OutputChunk[]): { path: string; bytes: number }[] {
  return chunks
    .flatMap(({ modules }) => Object.entries(modules))
    .map(([path, { renderedLength }]) => ({ path: shortPath(path), bytes: renderedLength }))
    .sort((a, b) => b.bytes - a.bytes);
}

/** Gives the path after the folder of the build or of the packages. */
function shortPath(path: string): string {
  return path.replace(/^.*\/(?:core\/dist|node_modules)\//, '');
}

/** The entry and everything it imports at once. */
function loadedWith(chunks: readonly OutputChunk[]): Set<string> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const loaded = new Set<string>();
  const visit = (chunk: OutputChunk | undefined) => {
    if (!chunk || loaded.has(chunk.fileName)) return;
    loaded.add(chunk.fileName);
    for (const name of chunk.imports) visit(byName.get(name));
  };
  visit(chunks.find((chunk) => chunk.isEntry));
  return loaded;
}

export function sizeOf(chunks: readonly Pick<OutputChunk, 'code'>[]): BundleSize {
  const size: BundleSize = { raw: 0, gzip: 0, brotli: 0 };
  for (const { code } of chunks) {
    size.raw += Buffer.byteLength(code);
    size.gzip += gzipSync(code, { level: 9 }).length;
    size.brotli += brotliCompressSync(code).length;
  }
  return size;
}
