// Metrics of the process: memory, CPU time, open files, event loop lag. Created once, when first read: a process may hold
// several gateways, and the observers of its event loop and garbage collector cannot be removed again.

import { collectDefaultMetrics, Registry } from 'prom-client';

let registry: Registry | undefined;

export function processMetrics(): Registry {
  if (!registry) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });
  }
  return registry;
}
