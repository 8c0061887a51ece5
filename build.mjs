// Builds everything: `npm run build`. `--if-needed` builds only where something is missing or older than the sources.
//
//   packages/*/src  ──tsc──>  packages/*/dist  ──core/bundle.mjs──>  core/dist/node      ──vite──>  gateway/page
//
// `--to-start`, which `npm start` uses, is content with what runs: in a new clone strip-types.mjs takes the place of tsc,
// and the first answer comes in half the time.
//
// Each step states what it does. What its tool prints is shown only if it fails.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));

const compiling = {
  says: 'Compiling the packages',
  tool: 'typescript/bin/tsc',
  args: ['-b', 'tsconfig.build.json'],
};
const stripping = { says: 'Preparing the packages', args: [join(root, 'strip-types.mjs')] };
const bundling = [
  { says: 'Bundling the core', args: [join(root, 'packages/core/bundle.mjs')] },
  { says: 'Building the page', tool: 'vite/bin/vite.js', args: ['build'], folder: 'packages/playground' },
];

/** What only a compiler writes. */
const DECLARATIONS = 'packages/cli/dist/main.d.ts';
/** What the last of each kind of step writes. */
const products = [
  'packages/cli/dist/main.js',
  'packages/core/dist/node/index.js',
  'packages/gateway/page/index.html',
];

/** The steps that are left to do for what the arguments of the command ask. */
export function stepsFor(argv, folder = root) {
  const isCompiled = existsSync(join(folder, DECLARATIONS));
  const toStart = argv.includes('--to-start');
  const isEnough = (toStart || argv.includes('--if-needed')) && isBuilt(folder) && (isCompiled || toStart);
  if (isEnough) return [];
  // Where the compiler has been, it goes on from there, and its declarations must not become older than the modules.
  return [toStart && !isCompiled ? stripping : compiling, ...bundling];
}

/** Whether every product is there, and the last one is newer than every source. */
function isBuilt(folder) {
  if (!products.every((path) => existsSync(join(folder, path)))) return false;
  const built = statSync(join(folder, products.at(-1))).mtimeMs;
  const packages = readdirSync(join(folder, 'packages')).map((name) => join(folder, 'packages', name, 'src'));
  return packages.every((src) => !existsSync(src) || newest(src) <= built);
}

function newest(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  return Math.max(
    0,
    ...entries.map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? newest(path) : statSync(path).mtimeMs;
    }),
  );
}

/** Gives the exit code of the first step that fails, else 0. */
export function runSteps(list, print = (text) => process.stdout.write(text)) {
  for (const [at, { says, tool, args, folder = '' }] of list.entries()) {
    print(`${says} (${at + 1} of ${list.length}) … `);
    const start = performance.now();
    const program = tool === undefined ? [] : [resolved(tool, folder)];
    const { status, output } = spawnSync(process.execPath, [...program, ...args], {
      cwd: join(root, folder),
      encoding: 'utf8',
    });
    print(
      status === 0 ? `${Math.ceil((performance.now() - start) / 1000)} s\n` : `failed\n${output.join('')}`,
    );
    if (status !== 0) return status ?? 1;
  }
  return 0;
}

/** A program of a package that is installed here: npm would print its own lines around it. */
function resolved(tool, folder) {
  const [name, ...path] = tool.split('/');
  const manifest = createRequire(join(root, folder, 'package.json')).resolve(`${name}/package.json`);
  return join(dirname(manifest), ...path);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = runSteps(stepsFor(process.argv));
}
