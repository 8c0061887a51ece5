// The page as static files. They go where the gateway serves them from; any other server can carry them as well.

import { fileURLToPath, pathToFileURL } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import solid from 'vite-plugin-solid';
import { collectExamples } from './src/views/read/example-files.js';

/** The examples of Read, from the corpus as it is when the page is built. */
function examples(): Plugin {
  const id = '\0virtual:examples';
  return {
    name: 'examples',
    resolveId: (name) => (name === 'virtual:examples' ? id : undefined),
    load: (name) =>
      name === id ? `export const examples = ${JSON.stringify(collectExamples())}` : undefined,
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
  plugins: [examples(), sharedWorkers(), solid()],
  build: {
    outDir: fileURLToPath(new URL('../gateway/page', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // Nothing may be inlined: the content security policy allows no `data:` scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es' },
});
