// The thread behind `healthPort`: GET /healthz, and nothing else. Anybody can connect to it, so connections are few, and
// those that ask nothing are short.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { CLOSING, COUNT, type HealthReady, type HealthStart } from './health-port.js';

/** Milliseconds between two looks at the other thread's count. */
const LOOK = 1000;
/** Connections at once: those that come beyond are closed. */
const MOST = 500;
/** Milliseconds for a request to arrive. */
const IN_TIME = 2000;
/** As on the port of the gateway. */
const KEPT = 75_000;

const { host, port, beats, stuck } = workerData as HealthStart;
let seen = Atomics.load(beats, COUNT);
let changed = performance.now();
let looked = changed;

function look(): void {
  const now = performance.now();
  const count = Atomics.load(beats, COUNT);
  // Where this thread did not run either, the process was stopped.
  if (count !== seen || now - looked > 3 * LOOK) changed = now;
  seen = count;
  looked = now;
}
setInterval(look, LOOK);

function answer(): [status: number, text: string] {
  look();
  if (Atomics.load(beats, CLOSING) === 1) return [503, 'closing\n'];
  return performance.now() - changed > stuck ? [503, 'stuck\n'] : [200, 'ok\n'];
}

const tell = (ready: HealthReady) => parentPort?.postMessage(ready);
const timeouts = {
  headersTimeout: IN_TIME,
  requestTimeout: IN_TIME,
  connectionsCheckingInterval: IN_TIME / 4,
};
const server = createServer({ ...timeouts, keepAliveTimeout: KEPT }, ({ url = '', method }, outgoing) => {
  const isCheck = /^\/healthz(?:\?|$)/.test(url) && (method === 'GET' || method === 'HEAD');
  const [status, text] = isCheck ? answer() : [404, 'There is GET /healthz.\n'];
  outgoing.writeHead(status, { 'content-type': 'text/plain; charset=UTF-8' }).end(text);
});
server.maxConnections = MOST;
// Also later: no descriptor may be left for a connection.
server.on('error', (error: NodeJS.ErrnoException) => tell({ code: error.code ?? error.message }));
server.listen({ host, port }, () => tell({ port: (server.address() as AddressInfo).port }));
