// A worker process of a gateway: the whole gateway, with what the processes share in the primary one. It ends when the
// primary process does. Runs when it is imported.

import { processValues } from '../observability/metrics.js';
import { laterTurn } from '../server/fair-turns.js';
import { type Gateway, type SharedServices, serveShared } from '../server/serve.js';
import { type Answers, Channel } from './channel.js';
import { configOfWorker, fromPlainConfig, type PlainConfig } from './plain-config.js';
import { toPlainError } from './plain-error.js';
import type { WorkerStart } from './running-worker.js';
import { configAnswers, JoinedConfig } from './sent-config.js';
import { createWorkerInspector } from './shared-inspector.js';
import type { ProcessValues } from './shared-metrics.js';
import { createWorkerRoom } from './shared-room.js';
import { createWorkerStore } from './worker-store.js';

/** Milliseconds between two reports of the metrics, while there are requests: a killed worker takes no more with it. */
const REPORT_EVERY = 1000;

/** Grows while the worker starts. */
const answers: Record<string, Answers[string]> = {};
const channel = new Channel(process, answers);

// A terminal sends Ctrl-C and its end to all processes, and systemd its signal to stop. The primary process decides what
// happens.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

async function run(): Promise<void> {
  const { config, worker, workers, room: part, detect } = await channel.ask<WorkerStart>('start');
  const settled = (plain: PlainConfig) => configOfWorker(fromPlainConfig(plain), worker, workers);
  const room = createWorkerRoom(channel, part, () => gateway?.app.open ?? 0);
  let gateway: Gateway | undefined;
  let values: (() => Promise<ProcessValues>) | undefined;
  let begun = () => 0;
  const shared: SharedServices = {
    worker,
    store: createWorkerStore(channel),
    count: (key) => channel.ask('count', key),
    room,
    metrics(own) {
      values = async () => ({ own: await own.values() });
      begun = () => own.begun;
      return { contentType: own.contentType, render: () => channel.ask('metrics') };
    },
    inspector(own) {
      const { view, answers: more } = createWorkerInspector(own, channel);
      Object.assign(answers, more);
      return view;
    },
  };
  gateway = await serveShared(settled(config), { detect }, shared);
  const { app, port, engines, reload, close } = gateway;
  const joined = new JoinedConfig();
  Object.assign(answers, room.answers, {
    open: () => app.open,
    ...configAnswers((part) => {
      const next = joined.add(part);
      if (next) reload(settled(next));
      return laterTurn();
    }),
    'room-reset': (part: number) => room.reset(part),
    values: async () => ({ ...(await values?.()), process: await processValues() }),
    async close() {
      await close();
      return values?.();
    },
  });
  reportValues(app, begun, async () => values?.());
  await channel.ask('ready', { port, engines });
}

/** Reports the metrics from time to time, if they may have changed. */
function reportValues(app: Gateway['app'], begun: () => number, values: () => Promise<unknown>): void {
  let reported = 0;
  let wasBusy = false;
  const report = async () => {
    if (begun() === reported && !wasBusy) return;
    reported = begun();
    wasBusy = app.open > 0;
    channel.tell('values', await values());
  };
  setInterval(() => void report(), REPORT_EVERY).unref();
}

run().catch(async (error) => {
  await channel.ask('failed', toPlainError(error)).catch(() => {});
  process.exit(1);
});
