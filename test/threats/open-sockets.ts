// The open sockets of some servers, on both sides, as Linux counts them. Descriptors of the process cannot be counted:
// test files that run at the same time share it.

import { readFileSync } from 'node:fs';

const TIME_WAIT = '06';

const hex = (port: string) => Number(port).toString(16).toUpperCase().padStart(4, '0');

/** Counts the sockets with one of these addresses at one of their ends. TIME_WAIT does not count as open. */
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
