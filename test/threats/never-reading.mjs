// Clients that ask for a stream and never read it, in a process of their own. Arguments: the port, and how many. They
// leave when they are told to, and report how long the health checks took that were sent meanwhile, over a connection
// that is kept.

import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const [port, count] = process.argv.slice(2).map(Number);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const times = [];
let checks = true;

function checkHealth() {
  const began = performance.now();
  return new Promise((tell) => {
    const sent = request({ port, host: '127.0.0.1', path: '/healthz', agent }, (response) => {
      response.resume().on('end', () => tell(performance.now() - began));
    });
    sent.on('error', () => tell(Number.POSITIVE_INFINITY)).end();
  });
}

async function keepChecking() {
  for (; checks; await wait(20)) times.push(await checkHealth());
}

await checkHealth();
void keepChecking();

const body = '{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}';
const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${body.length}\r\n\r\n`;
const sockets = [];
for (let n = 0; n < count; n++) {
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => {}).on('connect', () => socket.write(head + body));
  sockets.push(socket);
  if (n % 20 === 19) await wait(10);
}
process.send('connected');
process.once('message', () => {
  checks = false;
  for (const socket of sockets) socket.destroy();
  process.send({ times }, () => process.exit(0));
});
