// What was proven, kept in results.json. Agents, tasks and dialects that were not run this time keep what they had.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runProgram } from './processes.mjs';

const path = fileURLToPath(new URL('results.json', import.meta.url));
const project = fileURLToPath(new URL('../..', import.meta.url));

/** `names`: of all agents, in the order of the table. */
export async function keepReport(report, names) {
  const before = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [];
  const rows = names.map((name) => {
    const old = before.find(({ agent }) => agent === name);
    return name === report.agent ? merged(old, report) : old;
  });
  writeFileSync(path, `${JSON.stringify(rows.filter(Boolean), null, 2)}\n`);
  // As the project's style wants it.
  const format = ['biome', 'format', '--write', path];
  await runProgram('npx', format, { cwd: project, env: process.env, seconds: 60 });
}

/** What another version did says nothing about this one. */
function merged(old, report) {
  if (old === undefined || old.version !== report.version) return report;
  const tasks = report.tasks.length > 0 ? report.tasks : old.tasks;
  const fresh = report.dialects.map(({ dialect }) => dialect);
  const kept = (old.dialects ?? []).filter(({ dialect }) => !fresh.includes(dialect));
  return { ...report, tasks, dialects: inListOrder([...kept, ...report.dialects]) };
}

/** The dialects in which agents do the long task. */
export const DIALECTS = [
  'glm-4.5',
  'deepseek-v4',
  'hermes',
  'qwen3-coder',
  'xnl',
  'alkaid',
  'kimi-k2',
  'harmony',
];

function inListOrder(rows) {
  return rows.sort((a, b) => DIALECTS.indexOf(a.dialect) - DIALECTS.indexOf(b.dialect));
}
