import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { entrySources } from './test/packages.js';
import { SkipReporter } from './test/skip-reporter.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The tier of a test file is in its name; what names none is a unit test. CONTRIBUTING.md says what each holds. */
const tiers = {
  laws: '**/*laws.test.ts',
  e2e: '**/*.e2e.test.ts',
  alone: '**/*.alone.test.ts',
  long: '**/*.long.test.ts',
};

/** Shares of the full measure of the laws (`DRAGOMAN_EFFORT=1`) that `npm test` and `npm run test:quick` draw. */
const PLAIN = '0.05';
const LIGHT = '0.01';

/** Laws whose draws `DRAGOMAN_EFFORT` makes few: those `npm run test:quick` runs. The others walk a corpus, or all dialects. */
const HAVE_A_LIGHT_MEASURE = [
  'test/laws.test.ts',
  'test/vendor-prompts.laws.test.ts',
  'packages/core/src/wire/*/request-laws.test.ts',
  'packages/demo/src/demo-schemas.laws.test.ts',
];

/** The longest files of `npm test`, the longest first: one of them that began last would be waited for alone. */
const LONG = [
  'test/page/page.e2e.test.ts',
  'test/laws.test.ts',
  'packages/cli/src/main.e2e.test.ts',
  'test/threats/size-and-memory.laws.test.ts',
  'test/terminal/chat.e2e.test.ts',
  'test/threats/gateway-faults.e2e.test.ts',
].map(here);

const gone = LONG.filter((path) => !existsSync(path));
if (gone.length > 0)
  throw new Error(`vitest.config.ts: LONG names files that are not there: ${gone.join(', ')}`);

/** The long files, then the other tiers, then unit tests, which are short; within each as Vitest remembers them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) => {
      const found = LONG.indexOf(moduleId);
      if (found >= 0) return found;
      return project.name === 'unit' ? LONG.length + 1 : LONG.length;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

const everywhere = [
  'packages/*/src/**/*.test.ts',
  'packages/tiny/train/src/**/*.test.ts',
  'test/**/*.test.ts',
];
const named = (pattern: string) => everywhere.map((path) => path.replace('**/*.test.ts', pattern));

const lightDraws = (mode: string) => (mode === 'quick' ? [here('./test/light-draws.ts')] : []);

export default defineConfig(({ mode }) => ({
  resolve: {
    // Tests read the sources, by the entries that the packages declare. What the build gives is held end to end.
    alias: Object.entries(entrySources()).map(([specifier, source]) => ({
      find: new RegExp(`^${specifier}$`),
      replacement: here(source),
    })),
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          setupFiles: lightDraws(mode),
          include: everywhere,
          exclude: Object.values(tiers),
        },
      },
      {
        extends: true,
        test: {
          name: 'laws',
          setupFiles: lightDraws(mode),
          include: mode === 'quick' ? HAVE_A_LIGHT_MEASURE : named(tiers.laws),
        },
      },
      {
        extends: true,
        test: { name: 'e2e', include: named(tiers.e2e), globalSetup: here('./test/install-programs.mjs') },
      },
      // After all others, one file at a time.
      {
        extends: true,
        test: { name: 'alone', include: named(tiers.alone), maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
      // `npm run test:long`: before a release and every night. All others together have fifteen minutes.
      {
        extends: true,
        test: {
          name: 'long',
          include: mode === 'long' ? named(tiers.long) : [],
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
    pool: 'threads',
    // Files share a worker: far faster, and modules here hold no state that could leak from one to the next.
    isolate: false,
    // Vitest leaves one core to itself by default, which on two cores is half of the time. And two for each core: files
    // that start processes, servers and terminals mostly wait for them. Quick tests wait for little.
    maxWorkers: (mode === 'quick' ? 1 : 2) * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    // These are for what never ends: on a busy machine a fork of npm alone takes ten seconds.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 40_000 } },
    reporters: ['default', new SkipReporter()],
    env: { DRAGOMAN_EFFORT: process.env.DRAGOMAN_EFFORT ?? (mode === 'quick' ? LIGHT : PLAIN) },
    coverage: { provider: 'v8', include: ['packages/*/src/**/*.ts'], exclude: ['**/*.test.ts'] },
  },
}));
