// Where the queue is. What is secret in the address goes to the server and nowhere else.

import { ConvertError } from '../files/convert-error.js';

export interface Address {
  host: string;
  port: number;
  db: number;
  username?: string;
  password?: string;
  tls?: Record<string, never>;
}

/** For those who do not want a password among the words of a command, where all users of a machine can read it. */
const PASSWORD = 'DRAGOMAN_QUEUE_PASSWORD';

export function readAddress(text: string, env: NodeJS.ProcessEnv = process.env): Address {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const db = /^\/?([0-9]{0,4})$/.exec(url?.pathname ?? '')?.[1];
  // What was found is not said: it may hold a password.
  if (!url || !/^rediss?:$/.test(url.protocol) || url.hostname === '' || db === undefined) {
    throw new ConvertError('--queue: expected an address such as redis://host:6379 or rediss://user@host/0');
  }
  const password = decoded(url.password) || env[PASSWORD];
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? 6379 : Number(url.port),
    db: Number(db),
    ...(url.username !== '' && { username: decoded(url.username) }),
    ...(password && { password }),
    ...(url.protocol === 'rediss:' && { tls: {} }),
  };
}

/** As it may be shown. */
export function nameOf({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** A driver might repeat what it was given. */
export function withoutSecrets(text: string, { password }: Address): string {
  return password ? text.replaceAll(password, '***').replaceAll(encodeURIComponent(password), '***') : text;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
