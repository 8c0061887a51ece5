// Sets the version of everything that is released, which moves together.
//
//   node release.mjs 0.2.0            writes it: manifests, lock file, Python client, and the date into CHANGELOG.md
//   node release.mjs --check 0.2.0    fails where one has another version
//   node release.mjs --publish        npm publish of each package that npm does not have in this version yet, dependencies
//                                     first, with provenance

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PYTHON = 'clients/python/pyproject.toml';
const CHANGELOG = 'CHANGELOG.md';
const DEPENDENCIES = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** The manifests, by their paths from the root. The benchmarks are a workspace, and depend on the packages. */
function manifestsIn(root) {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/package.json`);
  return ['package.json', 'bench/package.json', ...packages].filter((path) => existsSync(join(root, path)));
}

const readJson = (root, path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const writeJson = (root, path, value) =>
  writeFileSync(join(root, path), `${JSON.stringify(value, null, 2)}\n`);

/** Gives the version to a manifest, and to its dependencies that are ours. */
function withVersion(manifest, version, ours) {
  const updated = { ...manifest, version };
  for (const kind of DEPENDENCIES) {
    if (!manifest[kind]) continue;
    const entries = Object.entries(manifest[kind]).map(([name, range]) => [
      name,
      ours.has(name) ? version : range,
    ]);
    updated[kind] = Object.fromEntries(entries);
  }
  return updated;
}

export function setVersion(root, version, date) {
  const paths = manifestsIn(root);
  const ours = new Set(paths.map((path) => readJson(root, path).name));
  for (const path of paths) writeJson(root, path, withVersion(readJson(root, path), version, ours));
  const lock = readJson(root, 'package-lock.json');
  for (const [path, entry] of Object.entries(lock.packages))
    if (paths.includes(path === '' ? 'package.json' : `${path}/package.json`))
      lock.packages[path] = withVersion(entry, version, ours);
  writeJson(root, 'package-lock.json', { ...lock, version });
  edit(root, PYTHON, /^version = ".*"$/m, `version = "${version}"`);
  edit(root, CHANGELOG, /^## Unreleased$/m, `## Unreleased\n\n## ${version}, ${date}`);
}

function edit(root, path, place, text) {
  const before = readFileSync(join(root, path), 'utf8');
  if (!place.test(before)) throw new Error(`${path}: there is no line like ${place}`);
  writeFileSync(join(root, path), before.replace(place, text));
}

/** What has another version, as sentences. */
export function otherVersions(root, version) {
  const found = manifestsIn(root).map((path) => [path, readJson(root, path).version]);
  const python = /^version = "(.*)"$/m.exec(readFileSync(join(root, PYTHON), 'utf8'))?.[1];
  return [...found, [PYTHON, python]]
    .filter(([, other]) => other !== version)
    .map(([path, other]) => `${path} has the version ${other}, not ${version}`);
}

/** The packages that are published, each behind those that it depends on. */
export function publishOrder(root) {
  const left = manifestsIn(root)
    .map((path) => ({ folder: path.replace(/\/?package\.json$/, ''), manifest: readJson(root, path) }))
    .filter(({ manifest }) => !manifest.private);
  const order = [];
  while (left.length > 0) {
    const waits = new Set(left.map(({ manifest }) => manifest.name));
    const ready = left.findIndex(
      ({ manifest }) => !Object.keys(manifest.dependencies ?? {}).some((name) => waits.has(name)),
    );
    if (ready < 0) throw new Error('packages depend on each other in a circle');
    order.push(...left.splice(ready, 1));
  }
  return order.map(({ folder }) => folder);
}

/**
 * What keeps npm from taking the packages, as sentences: with provenance it wants the `repository.url` of each to be that
 * of the workflow (E422 otherwise).
 */
export function missingRepositories(root) {
  const url = readJson(root, 'package.json').repository?.url;
  const own = url ? [] : ['package.json names no repository'];
  const wrong = publishOrder(root).flatMap((folder) => {
    const { repository } = readJson(root, `${folder}/package.json`);
    if (!repository?.url) return [`${folder}/package.json names no repository`];
    if (url && repository.url !== url)
      return [`${folder}/package.json names the repository ${repository.url}, not ${url}`];
    if (repository.directory !== folder)
      return [`${folder}/package.json: repository.directory is ${repository.directory}, not ${folder}`];
    return [];
  });
  return [...own, ...wrong];
}

/** By an earlier run that did not come to its end. npm takes no version twice. */
function isPublished(root, { name, version }) {
  const asked = ['view', `${name}@${version}`, 'version'];
  const { status, stdout, stderr, error } = spawnSync('npm', asked, { cwd: root, encoding: 'utf8' });
  if (error) throw error;
  if (status === 0) return stdout.trim() === version;
  if (stderr.includes('E404')) return false;
  throw new Error(`npm ${asked.join(' ')} failed:\n${stderr}`);
}

function main([first, second]) {
  const root = fileURLToPath(new URL('.', import.meta.url));
  if (first === '--publish') {
    const missing = missingRepositories(root);
    if (missing.length > 0)
      throw new Error(
        `nothing is published: npm refuses packages with provenance whose repository is not that of the workflow. CONTRIBUTING.md, "Releases", says what to add.\n${missing.join('\n')}`,
      );
    const args = ['publish', '--provenance', '--access', 'public'];
    for (const folder of publishOrder(root)) {
      const manifest = readJson(root, `${folder}/package.json`);
      if (isPublished(root, manifest))
        console.log(`${manifest.name} ${manifest.version} is published already`);
      else execFileSync('npm', args, { cwd: join(root, folder), stdio: 'inherit' });
    }
    return;
  }
  const version = first === '--check' ? second : first;
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version ?? ''))
    throw new Error('usage: node release.mjs [--check] <version>');
  if (first !== '--check') setVersion(root, version, new Date().toISOString().slice(0, 10));
  const others = otherVersions(root, version);
  if (others.length > 0) throw new Error(others.join('\n'));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
