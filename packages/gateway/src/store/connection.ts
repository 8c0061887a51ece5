// Shared by the Redis and PostgreSQL stores: loading the driver on first use, a URL without its password for logs, a
// timeout for each operation, and errors that can be shown.

import { ApiError, UsageError } from '@dragoman/core';
import type { Log } from '../services.js';

export interface ConnectionOptions {
  log?: Log;
  /** Milliseconds an operation may take, connecting included. Default 2,000. */
  timeout?: number;
}

export const DEFAULT_TIMEOUT = 2000;

/** Query parameters that hold secrets, as both drivers spell them. */
const secretParameters = ['password', 'sslpassword', 'sentinelPassword', 'auth'];

/** The URL of a store, parsed once, so that no other code handles its secrets. */
export class StoreAddress {
  readonly scheme: string;
  /** For logs: neither user, nor password, nor parameters. */
  readonly shown: string;
  readonly #secrets: string[];

  constructor(readonly url: string) {
    const parsed = parseUrl(url);
    this.scheme = parsed.protocol.slice(0, -1);
    this.shown = `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
    this.#secrets = secretsOf(parsed).sort((a, b) => b.length - a.length);
  }

  /** The text with every secret of the URL taken out. */
  hide(text: string): string {
    return this.#secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '[hidden]'), text);
  }

  /** Only the message and the code of a driver's error are kept: other members hold commands, passwords, clients. */
  errorOf(error: unknown): Error & { code?: string } {
    const { message, code } = error as { message?: unknown; code?: unknown };
    const said = typeof message === 'string' && message !== '' ? message : String(code ?? 'unknown reason');
    const clean: Error & { code?: string } = new Error(this.hide(said));
    if (typeof code === 'string') clean.code = code;
    return clean;
  }
}

/** The built-in error of `new URL` would quote the URL. */
function parseUrl(url: string): URL {
  if (URL.canParse(url)) return new URL(url);
  const expected =
    "expected a URL such as 'memory:', 'redis://host:6379/0' or 'postgres://host:5432/database'";
  throw new UsageError('bad-options', `${expected}, found text that is none`, 'store.url');
}

function secretsOf(url: URL): string[] {
  const spelled = [url.password, ...secretParameters.map((name) => url.searchParams.get(name) ?? '')];
  const secrets = new Set([url.href, ...spelled, ...spelled.map(decoded)]);
  secrets.delete('');
  return [...secrets];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A package that is only there if someone wants it. */
export async function loadPeer<T>(name: string, version: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error, name)) throw error;
    const message = `this store needs the package ${name}, which is not installed: npm install ${name}@${version}`;
    throw new UsageError('bad-options', message, 'store.url');
  }
}

function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const missing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  return missing && String(message).includes(`'${name}'`);
}

/** Rejects when the time is over, whatever becomes of the promise. */
export async function within<T>(time: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${time} ms`)), time);
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** Once it is ready, the action; but not if the time was over before: nobody waits for it then. */
export async function whenReady<T>(time: number, ready: Promise<void>, action: () => Promise<T>): Promise<T> {
  let over = false;
  const acted = ready.then(() => (over ? Promise.reject(new Error('too late')) : action()));
  try {
    return await within(time, acted);
  } finally {
    over = true;
  }
}

/** Ten years: more than servers can count must not become an error. */
const MOST_SECONDS = 10 * 366 * 24 * 3600;

/** Seconds, as whole milliseconds that every server takes. */
export function milliseconds(seconds: number): number {
  return Math.max(1, Math.ceil(Math.min(seconds, MOST_SECONDS) * 1000)) || 1;
}

/**
 * What an operation throws. A client may see it, so it names no address; the reason in full is its cause.
 * 503: the same request may succeed later.
 */
export function storeFailed(cause: Error & { code?: string }): ApiError {
  const reason = cause.code ?? cause.message;
  const message = `The store of this gateway failed (${reason}); try again later.`;
  return new ApiError('overloaded', message, { cause, retryAfter: 1 });
}

export function storeClosed(): ApiError {
  return new ApiError('overloaded', 'The store of this gateway is closed: it is shutting down.');
}
