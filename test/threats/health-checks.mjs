// Health checks of a gateway, from a process of its own so that nothing else makes one late: over a connection that is
// kept, and over a new one each time. Argument: the port. Told to stop, it reports how many milliseconds each
// took, and how many failed.

import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

const port = Number(process.argv[2]);
const kept = new Agent({ keepAlive: true, maxSockets: 1 });
const told = { kept: [], fresh: [], failed: 0 };
let goesOn = true;

function check(agent) {
  const from = performance.now();
  return new Promise((tell) => {
    const over = (status) => {
      if (status !== 200) told.failed++;
      tell(performance.now() - from);
    };
    const sent = request({ port, host: '127.0.0.1', path: '/healthz', agent }, (response) => {
      response.resume().on('end', () => over(response.statusCode));
    });
    sent.on('error', () => over(0)).end();
  });
}

async function keepChecking(how, agent) {
  for (; goesOn; await wait(20)) told[how].push(await check(agent));
}

// The first ones compile this program.
for (let n = 0; n < 20; n++) for (const agent of [kept, false]) await check(agent);
const over = Promise.all([keepChecking('kept', kept), keepChecking('fresh', false)]);
process.once('message', async () => {
  goesOn = false;
  await over;
  process.send(told, () => process.exit(0));
});
process.send('checks');
