import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const core = (path: string) => fileURLToPath(new URL(`packages/core/src/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    // Tests read the sources. What the build gives is held by test/exports.test.ts.
    alias: [
      { find: /^@dragoman\/core$/, replacement: core('index.ts') },
      { find: /^@dragoman\/core\/template$/, replacement: core('codec/template.ts') },
      { find: /^@dragoman\/core\/(testing|wire|bridge|agent|convert)$/, replacement: core('$1/index.ts') },
      { find: /^@dragoman\/core\/(fetch|ai-sdk)$/, replacement: core('adapters/$1.ts') },
      {
        find: /^@dragoman\/gateway$/,
        replacement: fileURLToPath(new URL('packages/gateway/src/index.ts', import.meta.url)),
      },
      {
        find: /^@dragoman\/gateway\/demo$/,
        replacement: fileURLToPath(new URL('packages/gateway/src/demo/index.ts', import.meta.url)),
      },
      {
        find: /^@dragoman\/sys$/,
        replacement: fileURLToPath(new URL('packages/sys/src/index.ts', import.meta.url)),
      },
    ],
  },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'threads',
    // Files share a worker: far faster, and modules here hold no state that could leak from one to the next.
    isolate: false,
    // Vitest leaves one core to itself by default, which on two cores is half of the time. And one more than there are
    // cores: files that start processes, servers and terminals mostly wait for them.
    maxWorkers: '150%',
    testTimeout: 60_000,
    coverage: { provider: 'v8', include: ['packages/*/src/**/*.ts'], exclude: ['**/*.test.ts'] },
  },
});
