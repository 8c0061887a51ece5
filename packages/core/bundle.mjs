// What Node loads of core, in a few files: dist/node, made from the build.
//
//   dist/index.js, dist/wire/index.js, … (some 250 modules)  →  dist/node/index.js, … and the chunks they share
//
// Node reads modules one by one, and more than half of the time that a command took to start went into that. All doors
// of the package are bundled together, so that there is one registry of dialects and one UsageError behind them.

import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { bundleValidator } from './validator.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { exports } = JSON.parse(readFileSync(here('package.json'), 'utf8'));
const folder = here('dist/node');

rmSync(folder, { recursive: true, force: true });
if (!process.argv.includes('--clean')) {
  await bundleValidator();
  await bundle();
}

async function bundle() {
  const build = await rolldown({
    input: Object.fromEntries(Object.values(exports).map(doorOf)),
    platform: 'neutral',
    // It is JavaScript: a tsconfig.json that stands in a folder above is not ours to ask.
    tsconfig: false,
    // Dependencies stay what they are.
    external: /^[^./]/,
  });
  await build.write({ dir: folder, format: 'esm' });
  await build.close();
}

/** ['wire/index', '…/dist/wire/index.js'] of { node: './dist/node/wire/index.js', default: './dist/wire/index.js' }. */
function doorOf(door) {
  const name = door.default.slice('./dist/'.length, -'.js'.length);
  if (door.node !== `./dist/node/${name}.js`)
    throw new Error(`package.json: ${door.default} has no door for Node`);
  return [name, here(door.default)];
}
