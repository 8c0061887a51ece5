// What the process uses: memory, processor time, open files, the lag of its loop. It is one process however many
// gateways are in it, and watching its loop and its collector cannot be undone: so this is made once, when first read.

import { collectDefaultMetrics, Registry } from 'prom-client';

let registry: Registry | undefined;

export function processMetrics(): Registry {
  if (!registry) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });
  }
  return registry;
}
