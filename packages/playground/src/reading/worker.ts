// The worker that reads, so that the page stays responsive with a long text.

import { JobQueue, type WorkerRequest } from './job-queue.js';

const channel = new MessageChannel();
let rested: (() => void) | undefined;
channel.port1.onmessage = () => rested?.();

/** Waits for a message to itself, which comes after those that have arrived: browsers slow down timers. */
const rest = () =>
  new Promise<void>((go) => {
    rested = go;
    channel.port2.postMessage(undefined);
  });

const queue = new JobQueue((reply) => postMessage(reply), rest);
addEventListener('message', (event) => queue.take((event as MessageEvent<WorkerRequest>).data));
