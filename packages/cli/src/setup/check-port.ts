// doctor: the port is free, or a gateway answers on it already.

import { createServer } from 'node:net';
import { getJson } from '@dragoman/core/bridge';
import type { GatewayConfig } from '@dragoman/gateway';
import { EXIT } from '../exit-codes.js';
import type { Finding } from './finding.js';

export async function checkPort({ host, port }: GatewayConfig): Promise<Finding> {
  const check = 'port';
  const code = await listenCode(host, port);
  if (code === undefined) return { check, status: 'ok', text: `${port} is free on ${host}` };
  if (code !== 'EADDRINUSE') {
    const advice = 'Choose another address with `host` and `port`.';
    return {
      check,
      status: 'fail',
      text: `cannot listen on ${host}:${port} (${code})`,
      advice,
      code: EXIT.partial,
    };
  }
  const health = await getJson({ url: `http://127.0.0.1:${port}` }, '/healthz');
  if (health?.status === 200) {
    const advice = 'Stop it before `dragoman serve`, unless it is the one with this configuration.';
    return { check, status: 'warn', text: `a gateway answers on ${port} already`, advice };
  }
  const advice = `Another program has it: set \`port\`, or start with --port.`;
  return { check, status: 'fail', text: `${port} is taken`, advice, code: EXIT.partial };
}

/** The code of the error of listening there; undefined if it works. */
function listenCode(host: string, port: number): Promise<string | undefined> {
  return new Promise((tell) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => tell(error.code ?? 'unknown'));
    server.listen(port, host, () => server.close(() => tell(undefined)));
  });
}
