// A gateway of this project as its own process, by its command, and what its inspector kept.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endGroup } from './processes.mjs';

const main = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url));

/** `flags`: what stands behind `dragoman serve`. */
export async function startGateway(flags, { cwd, env }) {
  const args = [main, 'serve', ...flags, '--port', '0', '--inspect', '100', '--log', 'warn'];
  const child = spawn(process.execPath, args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await addressOf(child);
  return {
    url,
    exchanges: () => readExchanges(url),
    async close() {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      const timer = setTimeout(() => endGroup(child), 5000);
      await closed;
      clearTimeout(timer);
    },
  };
}

function addressOf(child) {
  let said = '';
  return new Promise((tell, fail) => {
    const listen = (text) => {
      said += text;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
      if (found) tell(found[0]);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', listen);
    child.on('close', () => fail(new Error(`the gateway did not start: ${said}`)));
  });
}

/** In the order of their requests. */
async function readExchanges(url) {
  const { exchanges } = await json(`${url}/inspector/exchanges`);
  const records = exchanges.map(({ id }) => json(`${url}/inspector/exchanges/${encodeURIComponent(id)}`));
  return (await Promise.all(records)).sort((a, b) => a.time.localeCompare(b.time));
}

async function json(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.json();
}
