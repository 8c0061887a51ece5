import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const core = (path: string) => fileURLToPath(new URL(`packages/core/src/${path}`, import.meta.url));

/** Files that take longest, the longest first: one of them that begins last would be waited for alone. */
const LONG = [
  'test/page/page.test.ts',
  'test/laws.test.ts',
  'packages/cli/src/main.test.ts',
  'test/queue.test.ts',
  'test/threats/time-and-memory.test.ts',
  'test/terminal/chat.test.ts',
  'test/threats/gateway-load.test.ts',
  'test/threats/gateway-faults.test.ts',
  'test/threats/out-of-the-model.test.ts',
  'test/threats/gateway-stores.test.ts',
  'test/stream-laws.test.ts',
  'test/xgrammar.test.ts',
  'packages/gateway/src/server/serve.test.ts',
  'test/grammars.test.ts',
  'test/threats/faults.test.ts',
  'test/llama.test.ts',
  'packages/cli/src/serve.test.ts',
  'test/readme.test.ts',
  'test/regexes.test.ts',
  'packages/cli/src/explain/explain.test.ts',
  'test/gateway-clients.test.ts',
  'packages/core/src/bridge/emulate-laws.test.ts',
  'packages/cli/src/commands/convert.test.ts',
  'packages/gateway/src/store/stores.test.ts',
  'test/threats/into-the-prompt.test.ts',
  'test/clients/ai-openai.test.ts',
  'test/healing.test.ts',
  'packages/convert/src/forms/laws.test.ts',
  'test/terminal/chat-piped.test.ts',
  'packages/core/src/text/json.test.ts',
  'test/clients/openai-chat.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONG.findIndex((path) => moduleId.endsWith(`/${path}`));
      return found < 0 ? LONG.length : found;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  resolve: {
    // Tests read the sources. What the build gives is held by test/exports.test.ts.
    alias: [
      { find: /^@dragoman\/core$/, replacement: core('index.ts') },
      { find: /^@dragoman\/core\/template$/, replacement: core('template/template.ts') },
      { find: /^@dragoman\/core\/(testing|wire|bridge|agent|dialects)$/, replacement: core('$1/index.ts') },
      { find: /^@dragoman\/core\/(internal|grammar|small)$/, replacement: core('entries/$1.ts') },
      {
        find: /^@dragoman\/(convert|demo)$/,
        replacement: fileURLToPath(new URL('packages/$1/src/index.ts', import.meta.url)),
      },
      { find: /^@dragoman\/core\/(fetch|ai-sdk)$/, replacement: core('adapters/$1.ts') },
      {
        find: /^@dragoman\/gateway$/,
        replacement: fileURLToPath(new URL('packages/gateway/src/index.ts', import.meta.url)),
      },
      {
        find: /^@dragoman\/gateway\/dialect-file$/,
        replacement: fileURLToPath(
          new URL('packages/gateway/src/config/dialect-file.ts', import.meta.url),
        ),
      },
      {
        find: /^@dragoman\/gateway\/(config)$/,
        replacement: fileURLToPath(new URL('packages/gateway/src/$1/index.ts', import.meta.url)),
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
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    coverage: { provider: 'v8', include: ['packages/*/src/**/*.ts'], exclude: ['**/*.test.ts'] },
  },
});
