// node herd-model-process.js: the model of the herds, on bare sockets. On a machine of two cores it shares them with the
// proxies that are measured, and node:http would take as much CPU as they do. It answers streams alone, and reads of a
// request only where it ends.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { chunks } from './exchange.js';
import { answerParent } from './gateway-process.js';
import { END_OF_CHUNKS, END_OF_HEAD } from './herd-client.js';

const chunk = chunks['openai-chat'];
const TAIL =
  'data: {"id":"c1","object":"chat.completion.chunk","created":1750000000,"model":"some-model","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n' +
  'data: [DONE]\n\n';
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n';
const words = ['That ', 'is ', 'all.'].map(chunk).join('') + TAIL;
const first = chunk('Well. ');
const whole = Buffer.from(`${HEAD}content-length: ${Buffer.byteLength(words)}\r\n\r\n${words}`);
const begun = Buffer.from(
  `${HEAD}transfer-encoding: chunked\r\n\r\n${Buffer.byteLength(first).toString(16)}\r\n${first}\r\n`,
);

/** Streams stay open after their first event. */
let holds = false;
const open = new Set<Socket>();

function take(socket: Socket): void {
  /** Bytes of the body that are to come; Infinity: it ends with its last chunk. */
  let left = 0;
  let head = '';
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => open.delete(socket));
  socket.on('data', (bytes) => {
    if (left > 0) left -= bytes.length;
    else {
      head += bytes.toString('latin1');
      const end = head.indexOf(END_OF_HEAD);
      if (end < 0) return;
      const length = /content-length: *(\d{1,12})/i.exec(head.slice(0, end))?.[1];
      left = length ? Number(length) - (head.length - end - END_OF_HEAD.length) : Number.POSITIVE_INFINITY;
      head = '';
    }
    if (left === Number.POSITIVE_INFINITY && bytes.subarray(-END_OF_CHUNKS.length).equals(END_OF_CHUNKS))
      left = 0;
    if (left > 0) return;
    left = 0;
    if (holds) open.add(socket);
    socket.write(holds ? begun : whole);
  });
}

const server = createServer(take);
server.listen(0, '127.0.0.1', 8192);
await once(server, 'listening');
answerParent(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
  behave: (next: { hold: boolean }) => {
    holds = next.hold;
  },
  open: () => open.size,
});
