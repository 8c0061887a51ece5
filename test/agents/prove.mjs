// Runs one task: a gateway before the model that the task names, the agent on it, and what came of it.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { callsOf, faultsOf } from './faults.mjs';
import { startGateway } from './gateway.mjs';
import { runProgram } from './processes.mjs';
import { startTextModel } from './text-model.mjs';

/** Seconds in which the gateway must have left the upstream after the agent was interrupted. */
const LEAVES_WITHIN = 10;

/** `place`: `{ bin, env, root, folder }`. Gives `{ faults, exchanges, calls, seconds, run }`. */
export async function proveTask(agent, task, place) {
  return withAgent(agent, task, place, async ({ start, gateway }) => {
    const began = performance.now();
    const run = await start();
    const seconds = Math.round((performance.now() - began) / 1000);
    const exchanges = await gateway.exchanges();
    return { faults: faultsOf(task, { exchanges, run }), exchanges, calls: callsOf(exchanges), seconds, run };
  });
}

/** Interrupts the agent in the middle of an answer. The gateway must leave the upstream then. Gives the faults. */
export async function proveAbort(agent, task, place) {
  return withAgent(agent, task, place, async ({ start, model }) => {
    const run = start({ interrupt: model.slowTurnBegan });
    const ended = await Promise.race([run, model.slowTurnBegan.then(() => undefined)]);
    if (ended !== undefined) return ['it ended before it could be interrupted', ended.stderr.slice(-300)];
    await run;
    let timer;
    const late = new Promise((tell) => {
      timer = setTimeout(tell, LEAVES_WITHIN * 1000, ['the gateway did not leave the upstream']);
    });
    const left = await Promise.race([model.slowTurnLeft.then(() => []), late]);
    clearTimeout(timer);
    return [...left, ...task.check()];
  });
}

async function withAgent(agent, task, { bin, env, root, folder }, use) {
  const model = task.script && (await startTextModel(task.dialect, task.script));
  const flags = model
    ? ['--upstream', model.url, '--kind', 'chat', '--dialect', task.dialect, '--model', task.model]
    : ['--demo'];
  const gateway = await startGateway(flags, { cwd: root, env: { PATH: env.PATH, HOME: env.HOME } });
  const start = ({ interrupt } = {}) => {
    const more = task.script ? agent.mayWrite : [];
    const asked = { url: gateway.url, model: task.model, question: task.question, more };
    writeFiles(env.HOME, agent.home?.(asked) ?? {});
    const own = { ...env, ...agent.quiet, ...agent.env(asked) };
    const { seconds = 180 } = agent;
    return runProgram(bin, agent.args(asked), { cwd: folder, env: own, seconds, interrupt });
  };
  try {
    return await use({ start, gateway, model });
  } finally {
    await gateway.close();
    model?.close();
  }
}

function writeFiles(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
