// The sockets of some servers, on both sides, as Linux counts them. Not the descriptors of the process: files of tests
// that run beside share it.

import { readFileSync } from 'node:fs';

const TIME_WAIT = '06';

const hex = (port: string) => Number(port).toString(16).toUpperCase().padStart(4, '0');

/** How many sockets have one of these addresses at one of their ends. What only waits to be forgotten is not open. */
export function openSockets(...urls: string[]): number {
  const ports = new Set(urls.map((url) => hex(new URL(url).port)));
  const rows = ['tcp', 'tcp6'].flatMap((kind) =>
    readFileSync(`/proc/net/${kind}`, 'utf8').split('\n').slice(1),
  );
  return rows.filter((row) => {
    const [, local = '', remote = '', state = ''] = row.trim().split(/\s+/);
    const isEnd = (address: string) => ports.has(address.slice(address.indexOf(':') + 1));
    return state !== TIME_WAIT && (isEnd(local) || isEnd(remote));
  }).length;
}
