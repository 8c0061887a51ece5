// Recognises loopback addresses, and those of this gateway.

import { isIPv4 } from './ip-address.js';

/** Whether only this machine can reach the host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** Whether the address is this gateway's own: requests to it would loop. */
export function isOwnAddress(url: string, { host, port }: { host: string; port: number }): boolean {
  if (!URL.canParse(url) || port === 0) return false;
  const { hostname, port: written, protocol } = new URL(url);
  const name = withoutBrackets(hostname);
  const theirs = written === '' ? (protocol === 'https:' ? 443 : 80) : Number(written);
  const reaches = name === host || isLoopback(name) || name === '0.0.0.0' || name === '::';
  return (
    theirs === port && reaches && (name === host || isLoopback(host) || host === '0.0.0.0' || host === '::')
  );
}

export function withoutBrackets(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}
