// The page as static files. They go where the gateway serves them from; any other server can carry them as well.

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import solid from 'vite-plugin-solid';

export default defineConfig({
  // Relative, so that the files work under any path, and without a server where a browser allows it.
  base: './',
  plugins: [solid()],
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
