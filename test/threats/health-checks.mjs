// Health checks of a gateway, from a process of its own so that nothing else makes one late: over a connection that is
// kept, and over a new one each time. Arguments: the port, and `kept` for fewer of them and no new ones. Asked for those so
// far, or told to stop, it reports when each was sent, when its answer had come, and its status (0: none).

import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

const port = Number(process.argv[2]);
const kept = new Agent({ keepAlive: true, maxSockets: 1 });
const isKeptOnly = process.argv[3] === 'kept';
/** Milliseconds between two. */
const BETWEEN = isKeptOnly ? 50 : 20;
let told = { kept: [], fresh: [] };
let goesOn = true;
let isAsked = false;
const now = () => performance.timeOrigin + performance.now();

function check(agent) {
  const from = now();
  return new Promise((tell) => {
    const over = (status) => tell([from, now(), status]);
    const sent = request({ port, host: '127.0.0.1', path: '/healthz', agent }, (response) => {
      response.resume().on('end', () => over(response.statusCode));
    });
    sent.on('error', () => over(0)).end();
  });
}

async function keepChecking(how, agent) {
  for (; goesOn; await wait(BETWEEN)) {
    told[how].push(await check(agent));
    if (isAsked && how === 'kept') report();
  }
}

function report() {
  isAsked = false;
  process.send(told);
  told = { kept: [], fresh: [] };
}

const agents = isKeptOnly ? { kept } : { kept, fresh: false };
// The first ones compile this program.
for (let n = 0; n < 20; n++) for (const agent of Object.values(agents)) await check(agent);
const over = Promise.all(Object.entries(agents).map(([how, agent]) => keepChecking(how, agent)));
process.on('message', async (word) => {
  isAsked = word === 'so far';
  if (isAsked) return;
  goesOn = false;
  await over;
  process.send(told, () => process.exit(0));
});
process.send('checks');
