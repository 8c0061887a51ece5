// The worker that reads, so that the page stays responsive with a long text. It begins with the dialect of the first
// example and loads the others when a text needs them.

import { hermes } from '@dragoman/core/dialects';
import type { Dialect } from '@dragoman/core/small';
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

let all: readonly Dialect[] | undefined;
const source = {
  for: (name: string) => all ?? (name === hermes.name ? [hermes] : undefined),
  load: async () => {
    all = (await import('./all-dialects.js')).dialects;
  },
};

const queue = new JobQueue(
  (reply) => postMessage(reply),
  rest,
  source,
  async (job, input) => {
    const { doExtra } = await import('./extra-work.js');
    return doExtra(job, input);
  },
);
addEventListener('message', (event) => queue.take((event as MessageEvent<WorkerRequest>).data));
