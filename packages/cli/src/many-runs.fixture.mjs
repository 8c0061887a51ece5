// The command as it is built, run as often as it is asked, in one process. See many-runs.fixture.ts.

import { Readable } from 'node:stream';
import { runCommand } from '../dist/run-command.js';

const said = { stdout: [], stderr: [] };
for (const name of ['stdout', 'stderr']) process[name].write = (piece, ...more) => keep(name, piece, more);

function keep(name, piece, more) {
  said[name].push(Buffer.from(piece));
  const done = more.at(-1);
  if (typeof done === 'function') queueMicrotask(done);
  return true;
}

function take(name) {
  return Buffer.concat(said[name].splice(0)).toString('utf8');
}

async function answer({ argv, input, env, cwd }) {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
  const value = Readable.from([Buffer.from(input)], { objectMode: false });
  Object.defineProperty(process, 'stdin', { value, configurable: true });
  const status = await runCommand(argv);
  process.send({ status, stdout: take('stdout'), stderr: take('stderr') });
}

// One after the other: they share the streams.
let turn = Promise.resolve();
process.on('message', (question) => {
  turn = turn.then(() => answer(question));
});
