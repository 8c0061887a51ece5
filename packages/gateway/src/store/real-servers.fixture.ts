// Redis and PostgreSQL for tests: where one is missing and may not be installed, its tests are skipped and the reason is
// listed.

import { reportMissing } from '../../../../test/installs.mjs';
import { type RealServer, startPostgres, startRedis } from '../../../../test/real-servers.mjs';

export { CANARY, freePort, type RealServer } from '../../../../test/real-servers.mjs';

export type ServerKind = 'redis' | 'postgres';

/** The server, or why there is none, which is reported. */
export async function startServer(kind: ServerKind): Promise<RealServer | string> {
  try {
    return await (kind === 'redis' ? startRedis() : startPostgres());
  } catch (error) {
    return reportMissing(`stores in ${kind}`, error);
  }
}
