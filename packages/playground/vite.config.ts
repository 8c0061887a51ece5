// The page as static files. They go where the gateway serves them from; any other server can carry them as well.

import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { dialects } from '@dragoman/core';
import { defineConfig, type Plugin } from 'vite';
import solid from 'vite-plugin-solid';
import { makeSite } from '../../site/site.mjs';
import { collectExamples } from './src/views/read/example-files.js';

/** Modules made when the page is built. */
const made: Record<string, () => string> = {
  /** The examples of Read, from the corpus. */
  'virtual:examples': () => `export const examples = ${JSON.stringify(collectExamples())}`,
  /** The dialects without their code, which is loaded where a text needs it. */
  'virtual:dialects': () => {
    const list = dialects.map(({ name, about }) => ({ name, about }));
    return `export const dialectList = ${JSON.stringify(list)}`;
  },
  /** Where the repository is, if package.json says so. */
  'virtual:about': () => {
    const { repository } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    const address: string | undefined = repository?.url ?? repository;
    const about = { repository: address?.replace(/^git\+/, '').replace(/\.git$/, '') };
    return `export const about = ${JSON.stringify(about)}`;
  },
};

function madeModules(): Plugin {
  return {
    name: 'made-modules',
    resolveId: (name) => (Object.hasOwn(made, name) ? `\0${name}` : undefined),
    load: (id) => made[id.slice(1)]?.(),
  };
}

/** The documentation as pages beside this one, of the same version: the head of the page leads there. */
function documentation(): Plugin {
  return {
    name: 'documentation',
    apply: 'build',
    generateBundle() {
      for (const [path, source] of makeSite(fileURLToPath(new URL('../../', import.meta.url))))
        this.emitFile({ type: 'asset', fileName: `site/${path}`, source });
    },
  };
}

const startsWorker = /new Worker\(\s*new URL\(\s*'([^']+)',\s*import\.meta\.url\s*\)/g;

/**
 * Workers as further entries of the same build, so that they share its chunks. On its own Vite builds each of them
 * apart, and the library would be loaded once by the page and once more by every worker.
 */
function sharedWorkers(): Plugin {
  return {
    name: 'shared-workers',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!code.includes('new Worker(')) return undefined;
      return code.replaceAll(startsWorker, (_, path: string) => {
        const file = fileURLToPath(new URL(path, pathToFileURL(id)));
        return `new Worker(import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'chunk', id: file })}`;
      });
    },
  };
}

export default defineConfig({
  // Relative, so that the files work under any path, and without a server where a browser allows it.
  base: './',
  plugins: [madeModules(), sharedWorkers(), solid(), documentation()],
  build: {
    outDir: fileURLToPath(new URL('../gateway/page', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // Nothing may be inlined: the content security policy allows no `data:` scripts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // Grammars of languages, which the editor's commands import and no text here has.
      treeshake: { moduleSideEffects: [{ test: /@lezer[\\/]common/, sideEffects: false }] },
    },
    modulePreload: {
      polyfill: false,
      // A worker has no document to put preloads into.
      resolveDependencies: (_, chunks, { hostId }) => (/worker/.test(hostId) ? [] : chunks),
    },
  },
  worker: { format: 'es' },
});
