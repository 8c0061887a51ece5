// Installs programs apart from the project, each in a folder of its own. A version that cannot be had, or does not
// start, falls back to the newest that can.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './processes.mjs';

/** How many versions are tried before an agent counts as one that cannot be installed. */
const TRIES = 8;

/** `{ bin, version, fallback? }`, or `{ why }`. */
export async function installAgent(agent, root, env) {
  const reasons = [];
  for (const version of await versionsToTry(agent.package)) {
    const folder = join(root, `${agent.bin}-${version}`);
    const { why } = await install(`${agent.package}@${version}`, folder);
    const bin = join(folder, 'node_modules/.bin', agent.bin);
    const found = why === undefined ? await versionOf(agent, { folder, bin, env }) : { why };
    if (found.version === undefined) reasons.push(`${version}: ${found.why}`);
    else return { bin, version: found.version, ...(reasons.length > 0 && { fallback: reasons.join('; ') }) };
  }
  return { why: reasons.join('; ') || 'the registry names no version of it' };
}

/** The newest first, without those that are marked as previews. */
async function versionsToTry(name) {
  const args = ['view', name, 'dist-tags.latest', 'versions', '--json'];
  const { stdout } = await runProgram('npm', args, { cwd: '/', env: process.env, seconds: 60 });
  try {
    const { 'dist-tags.latest': latest, versions } = JSON.parse(stdout);
    const released = [versions].flat().filter((version) => !version.includes('-'));
    const before = released.slice(0, released.indexOf(latest)).reverse();
    return [latest, ...before].slice(0, TRIES);
  } catch {
    return ['latest'];
  }
}

/** `{}`, or `{ why }`. A folder that is there already is used again. */
export async function install(spec, folder) {
  if (existsSync(join(folder, 'node_modules'))) return {};
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', spec];
  const run = await runProgram('npm', args, { cwd: folder, env: process.env, seconds: 600 });
  return run.code === 0 ? {} : { why: npmReason(run.stderr) };
}

/** By what it says itself: a package may be there without the program that it stands for. */
async function versionOf(agent, { folder, bin, env }) {
  const run = await runProgram(bin, ['--version'], { cwd: folder, env, seconds: 60 });
  if (run.code !== 0) return { why: `it does not start here: ${lastLines(run.stderr || run.stdout)}` };
  const path = join(folder, 'node_modules', agent.package, 'package.json');
  return { version: JSON.parse(readFileSync(path, 'utf8')).version };
}

/** The sentence of npm's error that names the cause. */
function npmReason(text) {
  const lines = text.split('\n').map((line) => line.replace(/^npm error ?(?:[A-Z]+ |[a-z]+ )?/, ''));
  return lines.find((line) => /\S \S/.test(line)) ?? 'npm failed';
}

function lastLines(text) {
  return text.trim().split('\n').slice(-3).join(' ');
}
