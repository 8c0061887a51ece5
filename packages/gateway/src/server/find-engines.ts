// Looks for the engines of upstreams at the start, for a moment: one that answers later is found with a later request.

import { engineOf } from '@dragoman/core/bridge';
import type { UpstreamCatalogs } from '../app/upstream-catalog.js';
import type { GatewayConfig } from '../config/config.js';
import type { Log } from '../services.js';

/** The longest that the start waits, in milliseconds. */
const MOMENT = 1500;

export async function findEngines(
  { upstreams }: GatewayConfig,
  catalogs: UpstreamCatalogs,
  log: Pick<Log, 'info'> | undefined,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const open = [...upstreams.values()].filter(({ url, engine }) => url !== undefined && engine === 'auto');
  const looks = open.map(async (upstream) => {
    const engine = engineOf(await catalogs.of(upstream).detect());
    if (!engine) return;
    found.set(upstream.name, engine.title);
    log?.info({ upstream: upstream.name, engine: engine.name }, 'the engine of the upstream was found');
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((tell) => {
    timer = setTimeout(tell, MOMENT);
  });
  await Promise.race([Promise.all(looks), late]);
  clearTimeout(timer);
  return found;
}
