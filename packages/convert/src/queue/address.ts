// The address of the queue's Redis. Its password is only sent to the server, and never shown.

import { ConvertError } from '../files/convert-error.js';

export interface Address {
  host: string;
  port: number;
  db: number;
  username?: string;
  password?: string;
  tls?: Record<string, never>;
}

/** The variable for a password that should not appear on the command line, where all users of a machine can read it. */
const PASSWORD = 'DRAGOMAN_QUEUE_PASSWORD';

export function readAddress(text: string, env: NodeJS.ProcessEnv = process.env): Address {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const db = /^\/?([0-9]{0,4})$/.exec(url?.pathname ?? '')?.[1];
  // The message does not repeat the address: it may hold a password.
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

/** Gives the address as it may be shown. */
export function nameOf({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Removes the password from an error message: a driver might repeat the address it was given. */
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
