// Clients that ask for a stream and never read it, in a process of their own. Arguments: the port, and how many. They
// leave when they are told to.

import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const [port, count] = process.argv.slice(2).map(Number);
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
  for (const socket of sockets) socket.destroy();
  process.send('left', () => process.exit(0));
});
