// Real agents on the gateway: each is installed apart from the project, started as a person would start it, and given
// real tasks with its real tools. The gateway's inspector says what was called and what came back.
//
//   npm run test:agents                              all of them, the newest versions, all tasks
//   npm run test:agents -- codex pi                  only those whose name begins with one of these
//   npm run test:agents -- --dialects xnl,harmony    the long task only, in these dialects
//   npm run test:agents -- --short                   the short tasks only; --long: the long task only
//   npm run test:agents -- --folder /some/where      installs there, and uses what is there already
//
// Needs a registry for the installation. The runs themselves reach nothing but this machine, one at a time. The models
// are the demo model and a stand-in that follows a plan (text-model.mjs): what is proven is the way between an agent
// and a model, and nothing about any model. What was proven is printed, and written to results.json; `npm run docs`
// makes the tables of the documents from it.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { agents } from './agents.mjs';
import { install, installAgent } from './install.mjs';
import { abortTask, longTask } from './long-task.mjs';
import { startOutside } from './outside.mjs';
import { proveAbort, proveTask } from './prove.mjs';
import { DIALECTS, keepReport } from './results.mjs';
import { tasksFor } from './tasks.mjs';

/** Some agents ask for a newer Node than the project does. */
const NODE = 'node@24';

const { values: flags, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    dialects: { type: 'string' },
    short: { type: 'boolean' },
    long: { type: 'boolean' },
    folder: { type: 'string' },
  },
});
const isLong = flags.long === true || flags.dialects !== undefined;
const installs = flags.folder ?? mkdtempSync(join(tmpdir(), 'dragoman-agents-'));
mkdirSync(installs, { recursive: true });
/** Homes and projects of the agents, which no later run sees. */
const root = mkdtempSync(join(tmpdir(), 'dragoman-agents-run-'));
const outside = await startOutside();
try {
  process.exitCode = await main();
} finally {
  outside.close();
  rmSync(root, { recursive: true, force: true });
  if (flags.folder === undefined) rmSync(installs, { recursive: true, force: true });
}

async function main() {
  const node = join(installs, 'node');
  const { why } = await install(NODE, node);
  if (why !== undefined) return say(`Nothing was tested: ${NODE} could not be installed. ${why}`, 1);
  const path = [join(node, 'node_modules/node/bin'), process.env.PATH].join(delimiter);
  const chosen = agents.filter(isWanted);
  let done = 0;
  for (const agent of chosen) {
    const report = await proveAgent(agent, path);
    if (report.installed && [...report.tasks, ...report.dialects].every(({ passed }) => passed)) done++;
  }
  return say(`${done} of ${chosen.length} agents did all of their tasks.`, done === chosen.length ? 0 : 1);
}

function isWanted({ name }) {
  return wanted.length === 0 || wanted.some((word) => name.toLowerCase().startsWith(word.toLowerCase()));
}

function say(line, code) {
  console.log(line);
  return code;
}

async function proveAgent(agent, path) {
  const base = { agent: agent.name, package: agent.package, date: new Date().toISOString().slice(0, 10) };
  const home = join(root, `${agent.bin}-home`);
  mkdirSync(home);
  const env = { PATH: path, HOME: home, TERM: 'dumb', LANG: 'C.UTF-8', ...outside.env };
  const { bin, version, fallback, why } = await installAgent(agent, installs, env);
  if (bin === undefined) return keep(absent(base, `it could not be installed: ${why}`));
  console.log(`${agent.name} ${version}${fallback === undefined ? '' : ` (newer ones failed: ${fallback})`}`);
  const place = { bin, env, root };
  const report = {
    ...base,
    version,
    ...(fallback && { fallback }),
    installed: true,
    tasks: [],
    dialects: [],
  };
  if (!isLong) await proveShort(agent, place, report);
  if (!flags.short) await proveLong(agent, place, report);
  console.log(`  asked for hosts outside, in vain: ${outside.take().join(', ') || 'none'}\n`);
  return report;
}

async function keep(report) {
  await keepReport(
    report,
    agents.map(({ name }) => name),
  );
  return report;
}

function absent(base, why) {
  console.log(`${base.agent}: not run, ${why}\n`);
  return { ...base, installed: false, why, tasks: [], dialects: [] };
}

/** A folder with a few files, one of which holds a word that nothing else knows. */
function newProject(name) {
  const folder = join(root, name);
  const word = `heliotrope-${Math.random().toString(36).slice(2, 8)}`;
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'notes.txt'), `The word is ${word}.\n`);
  writeFileSync(join(folder, 'src/a.js'), 'export const a = 1;\n');
  writeFileSync(join(folder, 'src/b.js'), 'export const b = 2;\n');
  return { folder, word };
}

async function proveShort(agent, place, report) {
  const project = newProject(`${agent.bin}-short`);
  for (const task of tasksFor(agent, project)) {
    const proof = await proveTask(agent, task, { ...place, folder: project.folder });
    report.tasks.push({ task: task.name, model: task.model, ...whatHappened(proof) });
    tell(task.name, proof);
  }
  await keep(report);
}

/** Keeps what is known after each dialect: all of them take a while. */
async function proveLong(agent, place, report) {
  for (const dialect of flags.dialects?.split(',') ?? DIALECTS) {
    const project = newProject(`${agent.bin}-${dialect}`);
    const here = { ...place, folder: project.folder };
    const task = longTask(agent, dialect, project);
    const proof = await proveTask(agent, task, here);
    proof.faults.push(...(await proveAbort(agent, abortTask(agent, dialect, project), here)));
    const turns = task.script.done();
    report.dialects.push({ dialect, turns, seconds: proof.seconds, ...whatHappened(proof) });
    tell(`the long task, ${dialect}: ${turns} turns`, proof);
    await keep(report);
  }
}

function whatHappened({ faults, exchanges, calls }) {
  return {
    passed: faults.length === 0,
    apis: unique(exchanges.map(({ api, stream }) => `${api}${stream ? ', streamed' : ''}`)),
    requests: exchanges.length,
    tools: Math.max(0, ...exchanges.map(({ request }) => request?.conversation?.tools?.length ?? 0)),
    calls: calls.map(({ name }) => name),
    reasks: exchanges.reduce((sum, { reasks }) => sum + reasks, 0),
    ignored: unique(exchanges.flatMap(({ report }) => report?.ignored ?? [])),
    skippedTools: unique(
      exchanges.flatMap(({ report }) => report?.skippedTools ?? []).map(({ type }) => type),
    ),
    ...(faults.length > 0 && { faults }),
  };
}

function unique(some) {
  return [...new Set(some)];
}

function tell(name, { faults, exchanges, calls, seconds, run }) {
  console.log(`  ${faults.length === 0 ? 'ok' : 'NO'}  ${name} (${seconds} s)`);
  const called = calls.map(({ name: tool, arguments: given }) => `${tool} ${given.slice(0, 60)}`).join('; ');
  console.log(`      ${exchanges.length} requests; called ${called}`);
  for (const fault of faults) console.log(`      ${fault}`);
  if (faults.length > 0) console.log(indent(`${run.stdout}\n${run.stderr}`.trim().slice(-2000)));
}

function indent(text) {
  return text.replaceAll(/^/gm, '      | ');
}
