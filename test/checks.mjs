// Runs the npm scripts that are named, as many at a time as there are cores. Each prints what it has to say when it has
// ended. The exit code is 1 if one failed; the others run to their end all the same.

import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

const waiting = process.argv.slice(2);
const failed = [];
await Promise.all(Array.from({ length: availableParallelism() }, runAll));
if (failed.length > 0) console.error(`failed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;

async function runAll() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const { code, output } = await run(name);
    process.stdout.write(`${output.trim()}\n${name}: ${code === 0 ? 'fine' : 'failed'}\n\n`);
    if (code !== 0) failed.push(name);
  }
}

function run(name) {
  return new Promise((resolve) => {
    const shell = process.platform === 'win32';
    const script = spawn('npm', ['run', '--silent', name], { shell, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    script.stdout.on('data', (text) => (output += text));
    script.stderr.on('data', (text) => (output += text));
    script.on('error', (error) => resolve({ code: 1, output: `${output}${error.message}\n` }));
    script.on('close', (code) => resolve({ code, output }));
  });
}
