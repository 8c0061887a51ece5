// Makes one self-contained file of the command, `dragoman.mjs`, and of it a single executable (Node's SEA). Needs a build.
//
//   node bundle.mjs [--output <folder>] [--executable]
//
// Everything is in the file but the optional drivers (ioredis, pg, …), which are found beside it. Threads, worker processes,
// versions, the page and the suite of `verify` are in files of their own in the packages; in the bundle they are this file
// itself:
//
//   main thread                 the command
//   worker thread               a converter of blocks; with data, the thread for large requests of `dragoman serve`
//   worker of node:cluster      a process of `dragoman serve --workers`

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { injectSea } from './inject-sea.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
const built = (path) => JSON.stringify(join(root, 'packages', path));

/** The optional drivers of all packages. */
function optionalDrivers() {
  const folders = readdirSync(join(root, 'packages'));
  const manifests = folders.map((folder) => readManifest(join(root, 'packages', folder)));
  return manifests.flatMap(({ peerDependencies = {} }) => Object.keys(peerDependencies));
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** No `await` at the top, so that an executable can load it with `require`. */
const entry = `
import cluster from 'node:cluster';
import { isMainThread, workerData } from 'node:worker_threads';

const load = !isMainThread
  ? workerData
    ? 'beats' in workerData
      ? () => import(${built('gateway/dist/server/health-thread.js')})
      : 'configPath' in workerData
        ? () => import(${built('gateway/dist/workers/config-thread.js')})
        : () => import(${built('gateway/dist/workers/lane-thread.js')})
    : () => import(${built('convert/dist/files/thread.js')})
  : cluster.isWorker
    ? () => import(${built('gateway/dist/workers/worker-process.js')})
    : () => import(${built('cli/dist/start.js')});
load();
`;

const plugin = {
  name: 'one-file',
  resolveId: (id) => (id === 'dragoman:entry' || id === 'dragoman:page' ? id : undefined),
  load: (id) => (id === 'dragoman:entry' ? entry : id === 'dragoman:page' ? pageModule() : undefined),
  transform: (code, id) => inOneFile(code, id),
};

/** Replaces what a module expects beside it. A module that is not listed must not look for files: see the check below. */
function inOneFile(code, id) {
  if (!id.startsWith(join(root, 'packages') + sep)) return undefined;
  let changed = code
    .replace(
      /new URL\('\.\/(?:thread|lane-thread|config-thread|health-thread|worker-process)\.js', import\.meta\.url\)/g,
      'new URL(import.meta.url)',
    )
    .replace(
      /readFileSync\(new URL\('((?:\.\.\/)+)package\.json', import\.meta\.url\), 'utf8'\)/g,
      (_, up) => {
        const { version } = readManifest(join(dirname(id), up));
        return JSON.stringify(JSON.stringify({ version }));
      },
    )
    .replace("createRequire(import.meta.url)('yaml')", 'yamlModule');
  if (changed.includes('yamlModule')) changed = `import * as yamlModule from 'yaml';\n${changed}`;
  if (id.endsWith(join('server', 'page-files.js')))
    changed = changed
      .replace(/from 'node:fs'/, "from 'dragoman:page'")
      .replace("new URL('../../page/', import.meta.url)", "new URL('page:///')");
  if (id.endsWith(join('suite', 'suite-files.js')))
    changed = changed
      .replace('import.meta.url', 'undefined')
      .replace(/files\.readFileSync\([^;]*\);/, () => `(${JSON.stringify(suiteTexts())})[name];`);
  const left =
    /import\.meta\.(?!url\))/.exec(changed) ?? /new URL\('[^']+', import\.meta\.url\)/.exec(changed);
  if (left)
    throw new Error(
      `${relative(root, id)} looks for a file beside it, which a single file has not: ${left[0]}`,
    );
  return changed === code ? undefined : changed;
}

function suiteTexts() {
  const folder = join(root, 'packages/verify/suite');
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return Object.fromEntries(
    names.map((name) => [name.replace('.jsonl', ''), readFileSync(join(folder, name), 'utf8')]),
  );
}

/** The three functions of node:fs that read the page, over files that are in the bundle. */
function pageModule() {
  const folder = join(root, 'packages/gateway/page');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    // The documentation would be half of the file, which every command reads.
    .filter((file) => !file.startsWith(join(folder, 'site')));
  const contents = files.map((file) => {
    const path = `/${relative(folder, file).split(sep).join('/')}`;
    return [path, readFileSync(file).toString('base64')];
  });
  return `
const files = new Map(${JSON.stringify(contents)});
const folders = new Set([...files.keys()].map((path) => path.slice(0, path.lastIndexOf('/') + 1)));
export const existsSync = ({ pathname }) => files.has(pathname) || folders.has(pathname);
export const readFileSync = ({ pathname }) => Buffer.from(files.get(pathname), 'base64');
export const readdirSync = ({ pathname }) =>
  [...files.keys()]
    .filter((path) => path.startsWith(pathname) && !path.slice(pathname.length).includes('/'))
    .map((path) => ({ name: path.slice(pathname.length), isFile: () => true }));
`;
}

async function bundle(output) {
  const drivers = optionalDrivers();
  const build = await rolldown({
    input: 'dragoman:entry',
    platform: 'node',
    tsconfig: false,
    plugins: [plugin],
    external: (id) => drivers.some((name) => id === name || id.startsWith(`${name}/`)),
    checks: { pluginTimings: false },
    onLog: (level, log, tell) => {
      if (log.code !== 'EVAL') tell(level, log);
    },
  });
  const file = join(output, 'dragoman.mjs');
  await build.write({ file, format: 'esm', codeSplitting: false, banner: '#!/usr/bin/env node' });
  await build.close();
  chmodSync(file, 0o755);
  return file;
}

/** The program of the executable: puts the bundle into the cache of the user, where threads can start from it. */
const starter = `
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { homedir } = require('node:os');
const { join } = require('node:path');
const { getAsset } = require('node:sea');

const text = Buffer.from(getAsset('dragoman.mjs'));
const cache = process.env.XDG_CACHE_HOME?.startsWith('/') ? process.env.XDG_CACHE_HOME : join(homedir(), '.cache');
const folder = join(cache, 'dragoman', createHash('sha256').update(text).digest('hex').slice(0, 16));
const file = join(folder, 'dragoman.mjs');

function isThere() {
  try {
    return readFileSync(file).equals(text);
  } catch {
    return false;
  }
}

if (!isThere()) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const part = \`\${file}.\${process.pid}\`;
  writeFileSync(part, text, { mode: 0o600 });
  renameSync(part, file);
}
// Only that modules are loaded by require: the bundle is made for it.
const emitWarning = process.emitWarning;
process.emitWarning = () => {};
createRequire(file)(file);
process.emitWarning = emitWarning;
`;

async function executable(output, file) {
  const script = join(output, 'dragoman-sea.cjs');
  const blob = join(output, 'dragoman-sea.blob');
  const config = join(output, 'dragoman-sea.json');
  writeFileSync(script, starter);
  const assets = { 'dragoman.mjs': file };
  writeFileSync(
    config,
    JSON.stringify({ main: script, output: blob, assets, disableExperimentalSEAWarning: true }),
  );
  execFileSync(process.execPath, ['--experimental-sea-config', config], {
    stdio: 'pipe',
  });
  const program = join(output, process.platform === 'win32' ? 'dragoman.exe' : 'dragoman');
  await injectSea(process.execPath, program, readFileSync(blob));
  // macOS runs only what is signed.
  if (process.platform === 'darwin') execFileSync('codesign', ['--force', '--sign', '-', program]);
  for (const part of [script, blob, config]) rmSync(part);
  return program;
}

const { values } = parseArgs({
  options: { output: { type: 'string', default: 'bundle' }, executable: { type: 'boolean', default: false } },
});
const output = resolve(values.output);
mkdirSync(output, { recursive: true });
const file = await bundle(output);
console.log(file);
if (values.executable) console.log(await executable(output, file));
