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

/**
 * The longest files of `npm test`, the longest first: one of them that began last would be waited for alone. The first
 * list mostly waits for processes, the second computes.
 */
const WAIT_LONG = [
  'test/page/page.e2e.test.ts',
  'packages/cli/src/main.e2e.test.ts',
  'packages/verify/src/verify.e2e.test.ts',
  'test/local/gguf-command.e2e.test.ts',
  'test/python.e2e.test.ts',
  'test/gateway-clients.e2e.test.ts',
  'test/terminal/chat.e2e.test.ts',
  'test/readme.e2e.test.ts',
  'packages/cli/src/serve-workers.e2e.test.ts',
  'test/entries.e2e.test.ts',
  'test/threats/stalled-streams.e2e.test.ts',
  'test/local/engine.e2e.test.ts',
  'test/installed.e2e.test.ts',
  'packages/cli/src/commands/training.e2e.test.ts',
  'packages/cli/src/setup/setup.e2e.test.ts',
  'test/local/serve-gguf.e2e.test.ts',
  'test/threats/secrets-ways-in.e2e.test.ts',
  'packages/cli/src/serve.e2e.test.ts',
  'packages/verify/src/verify-runs.e2e.test.ts',
  'test/threats/faults.e2e.test.ts',
  'test/threats/slow-and-stopped.e2e.test.ts',
  'packages/cli/src/commands/convert.e2e.test.ts',
  'test/examples.e2e.test.ts',
  'test/threats/failing-stores.e2e.test.ts',
  'test/threats/gateway-faults.e2e.test.ts',
  'packages/cli/src/verify/verify.e2e.test.ts',
].map(here);
const COMPUTE_LONG = [
  // The first of its worker, though not the longest: it collects garbage hundreds of times, all of its worker each time.
  'test/threats/size-and-memory.laws.test.ts',
  'test/stream-laws.test.ts',
  'test/laws.test.ts',
  'test/healing.laws.test.ts',
  'test/threats/quoted-calls.laws.test.ts',
  'test/score.laws.test.ts',
  'test/request-fields/request-fields.laws.test.ts',
  'packages/core/src/dialects/own-closers.laws.test.ts',
  'test/threats/out-of-the-model.laws.test.ts',
  'packages/core/src/bridge/emulate/emulate-laws.test.ts',
  'test/threats/into-the-prompt.laws.test.ts',
  'test/ranking.laws.test.ts',
].map(here);

const gone = [...WAIT_LONG, ...COMPUTE_LONG].filter((path) => !existsSync(path));
if (gone.length > 0)
  throw new Error(`vitest.config.ts: lists of long files name some that are not there: ${gone.join(', ')}`);

/**
 * The end-to-end tests and the laws side by side, so that what computes has the cores while what waits does not need
 * them; in each the long files first, then as Vitest remembers them. Then unit tests, which are short.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rest = await super.sort(files);
    const take = (which: RegExp, long: readonly string[] = []) => {
      const taken = rest.filter(({ moduleId }) => which.test(moduleId));
      for (const one of taken) rest.splice(rest.indexOf(one), 1);
      const place = ({ moduleId }: TestSpecification) => long.indexOf(moduleId) + 1 || Infinity;
      return taken.sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
    };
    const waiting = take(/\.e2e\.test\.ts$/, WAIT_LONG);
    const computing = take(/laws\.test\.ts$/, COMPUTE_LONG);
    return [...evenly(waiting, computing), ...rest];
  }
}

/** Both in one, each in its order and spread over the whole. */
function evenly<T>(a: readonly T[], b: readonly T[]): T[] {
  const placed = [a, b].flatMap((all) => all.map((one, at) => ({ one, place: at / all.length })));
  return placed.sort((x, y) => x.place - y.place).map(({ one }) => one);
}

const everywhere = [
  'packages/*/src/**/*.test.ts',
  'packages/tiny/train/src/**/*.test.ts',
  'test/**/*.test.ts',
];
const named = (pattern: string) => everywhere.map((path) => path.replace('**/*.test.ts', pattern));

/**
 * Of `npm run test:quick`: only some of the laws. Otherwise these tiers are one project: each project has a server and
 * workers of its own, which read all sources anew.
 */
const light = { setupFiles: here('./test/light-draws.ts') };
const quick = [
  { ...light, name: 'unit', include: everywhere, exclude: Object.values(tiers) },
  { ...light, name: 'laws', include: HAVE_A_LIGHT_MEASURE },
];
const together = {
  name: 'together',
  include: everywhere,
  exclude: [tiers.alone, tiers.long],
  globalSetup: ['./test/install-programs.mjs', './test/remove-tarballs.mjs'].map(here),
};

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
      ...(mode === 'quick' ? quick : [together]).map((test) => ({ extends: true as const, test })),
      // After all others, one file at a time.
      {
        extends: true,
        test: {
          name: 'alone',
          include: named(tiers.alone),
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          globalSetup: here('./test/remove-tarballs.mjs'),
        },
      },
      // `npm run test:long`: before a release and every night. All others together have fifteen minutes.
      {
        extends: true,
        test: {
          name: 'long',
          include: mode === 'long' ? named(tiers.long) : [],
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          globalSetup: here('./test/remove-tarballs.mjs'),
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
    // These are for what never ends: on a busy machine a fork of npm alone takes ten seconds, and one test forty.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 120_000 } },
    reporters: ['default', new SkipReporter()],
    env: {
      DRAGOMAN_EFFORT: process.env.DRAGOMAN_EFFORT ?? (mode === 'quick' ? LIGHT : PLAIN),
      // Nobody watches the demo model write. Tests that need a slow answer say so.
      DRAGOMAN_DEMO_DELAY: '1',
    },
    coverage: { provider: 'v8', include: ['packages/*/src/**/*.ts'], exclude: ['**/*.test.ts'] },
  },
}));
