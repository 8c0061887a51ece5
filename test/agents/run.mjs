// Real agents on the gateway: each is installed apart from the project, started as a person would start it, and given
// real tasks with its real tools. The gateway's inspector says what was called and what came back.
//
//   npm run test:agents                 all of them, the newest versions
//   npm run test:agents -- codex        only those whose name has this in it
//   npm run test:agents -- --keep       leaves the folder there
//
// Needs a registry for the installation. The runs themselves reach nothing but this machine. What was proven is
// printed, and written to results.json; `npm run docs` makes the tables of the documents from it.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agents } from './agents.mjs';
import { startGateway } from './gateway.mjs';
import { startOutside } from './outside.mjs';
import { runProgram } from './processes.mjs';
import { callsOf, faultsOf, tasksFor } from './tasks.mjs';
import { startTextModel } from './text-model.mjs';

const SECONDS = 90;
/** Some agents ask for a newer Node than the project does. */
const NODE = 'node@24';

const project = fileURLToPath(new URL('../..', import.meta.url));
const results = fileURLToPath(new URL('results.json', import.meta.url));
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const root = mkdtempSync(join(tmpdir(), 'dragoman-agents-'));
const outside = await startOutside();
try {
  process.exitCode = await main();
} finally {
  outside.close();
  if (process.argv.includes('--keep')) console.log(`kept: ${root}`);
  else rmSync(root, { recursive: true, force: true });
}

async function main() {
  const node = await install(NODE, 'node');
  if (!node.ok) return say(`Nothing was tested: ${NODE} could not be installed. ${node.why}`, 1);
  const path = [join(node.folder, 'node_modules/node/bin'), process.env.PATH].join(delimiter);
  const chosen = agents.filter(isWanted);
  const reports = [];
  for (const agent of chosen) reports.push(await proveAgent(agent, path));
  await keep(reports);
  const failed = reports.filter(({ tasks }) => !tasks.every(({ passed }) => passed));
  const absent = reports.filter(({ installed }) => !installed);
  const done = chosen.length - failed.length - absent.length;
  return say(`${done} of ${chosen.length} agents did all of their tasks.`, done === chosen.length ? 0 : 1);
}

function isWanted({ name, package: id }) {
  return (
    wanted.length === 0 || wanted.some((word) => `${name} ${id}`.toLowerCase().includes(word.toLowerCase()))
  );
}

function say(line, code) {
  console.log(line);
  return code;
}

// ---------------------------------------------------------------- installing

async function install(spec, name) {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', spec];
  const run = await runProgram('npm', args, { cwd: folder, env: process.env, seconds: 600 });
  return run.code === 0 ? { ok: true, folder } : { ok: false, folder, why: lastLines(run.stderr) };
}

function lastLines(text) {
  return text.trim().split('\n').slice(-3).join(' ');
}

/** By what it says itself: a package may be there without the program that it stands for. */
async function versionOf(agent, bin, env) {
  const run = await runProgram(bin, ['--version'], { cwd: root, env, seconds: 60 });
  const { stdout, stderr, code } = run;
  if (code !== 0) return { why: `it does not start here: ${lastLines(stderr || stdout)}` };
  const folder = join(dirname(dirname(bin)), agent.package);
  return { version: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version };
}

// ---------------------------------------------------------------- proving

async function proveAgent(agent, path) {
  const base = { agent: agent.name, package: agent.package, date: new Date().toISOString().slice(0, 10) };
  const installed = await install(`${agent.package}@latest`, agent.bin);
  if (!installed.ok) return absent(base, `it could not be installed: ${installed.why}`);
  const bin = join(installed.folder, 'node_modules/.bin', agent.bin);
  const home = newHome(agent);
  const env = { PATH: path, HOME: home, TERM: 'dumb', LANG: 'C.UTF-8', ...outside.env };
  const { version, why } = await versionOf(agent, bin, env);
  if (version === undefined) return absent(base, why);
  console.log(`${agent.name} ${version}`);
  const tasks = [];
  const place = newPlace(agent);
  for (const task of tasksFor(agent, place)) tasks.push(await proveTask(agent, task, { bin, env, ...place }));
  const hosts = outside.take();
  console.log(`  asked for hosts outside, in vain: ${hosts.join(', ') || 'none'}\n`);
  return { ...base, version, installed: true, tasks };
}

function absent(base, why) {
  console.log(`${base.agent}: not run, ${why}\n`);
  return { ...base, installed: false, why, tasks: [] };
}

function newHome({ bin, home = {} }) {
  const folder = join(root, `${bin}-home`);
  mkdirSync(folder);
  for (const [path, text] of Object.entries(home)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function newPlace({ bin }) {
  const folder = join(root, `${bin}-project`);
  const word = `heliotrope-${Math.random().toString(36).slice(2, 8)}`;
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'notes.txt'), `The word is ${word}.\n`);
  writeFileSync(join(folder, 'src/a.js'), 'export const a = 1;\n');
  return { folder, word };
}

async function proveTask(agent, task, { bin, env, folder }) {
  const model = task.plan && (await startTextModel(task.dialect, task.plan));
  const flags = model
    ? ['--upstream', model.url, '--kind', 'chat', '--dialect', task.dialect, '--model', task.model]
    : ['--demo'];
  const gateway = await startGateway(flags, { cwd: root, env: { PATH: env.PATH, HOME: env.HOME } });
  try {
    const asked = { url: gateway.url, model: task.model, question: task.question, more: task.more ?? [] };
    const own = { ...env, ...agent.quiet, ...agent.env(asked) };
    const run = await runProgram(bin, agent.args(asked), { cwd: folder, env: own, seconds: SECONDS });
    const exchanges = await gateway.exchanges();
    return report(task, exchanges, faultsOf(task, { exchanges, run }), run);
  } finally {
    await gateway.close();
    model?.close();
  }
}

// ---------------------------------------------------------------- telling

function report(task, exchanges, faults, run) {
  const calls = callsOf(exchanges);
  const told = {
    task: task.name,
    model: task.model,
    passed: faults.length === 0,
    apis: [...new Set(exchanges.map(({ api, stream }) => `${api}${stream ? ', streamed' : ''}`))],
    requests: exchanges.length,
    tools: Math.max(0, ...exchanges.map(({ request }) => request?.conversation?.tools?.length ?? 0)),
    calls: calls.map(({ name }) => name),
    reasks: exchanges.reduce((sum, { reasks }) => sum + reasks, 0),
    ignored: [...new Set(exchanges.flatMap(({ report }) => report?.ignored ?? []))],
    skippedTools: [
      ...new Set(exchanges.flatMap(({ report }) => report?.skippedTools ?? []).map(({ type }) => type)),
    ],
    ...(faults.length > 0 && { faults }),
  };
  console.log(`  ${told.passed ? 'ok' : 'NO'}  ${task.name}`);
  const called = calls.map(({ name, arguments: given }) => `${name} ${given.slice(0, 80)}`).join('; ');
  console.log(
    `      ${told.requests} requests (${told.apis.join('; ')}), ${told.tools} tools; called ${called}`,
  );
  for (const fault of faults) console.log(`      ${fault}`);
  if (faults.length > 0) console.log(indent(`${run.stdout}\n${run.stderr}`.trim().slice(-2000)));
  return told;
}

function indent(text) {
  return text.replaceAll(/^/gm, '      | ');
}

/** Agents that were not asked for this time keep what they had. */
async function keep(reports) {
  const before = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : [];
  const rows = agents.map(({ name }) => {
    const fresh = reports.find(({ agent }) => agent === name);
    return fresh ?? before.find(({ agent }) => agent === name);
  });
  writeFileSync(results, `${JSON.stringify(rows.filter(Boolean), null, 2)}\n`);
  // As the project's style wants it.
  await runProgram('npx', ['biome', 'format', '--write', results], {
    cwd: project,
    env: process.env,
    seconds: 60,
  });
}
