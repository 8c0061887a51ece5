// Gets small JSON documents of an upstream, such as the list of its models. A quick answer or none: nothing waits for it
// that a client needs.

import { authHeaders, defaultWire, wireOf } from '../../wire/index.js';
import { addressAt } from './address-at.js';
import type { UpstreamOptions } from './http-upstream.js';
import { unlessAborted } from './on-abort.js';
import { type Fetched, ResponseText, startOfText } from './response-text.js';
import { Patience } from './timeouts.js';

export type UpstreamAddress = Pick<UpstreamOptions, 'url' | 'api' | 'key' | 'headers' | 'fetch'>;

export interface FoundJson {
  status: number;
  /** Undefined if the body is no JSON, or too long. */
  value: unknown;
}

/** The longest document that is read, in characters. */
const LONGEST = 4 * 1024 * 1024;

/** `path` is that behind the version: `/models`. Undefined: no answer in time, in milliseconds. Never throws. */
export async function getJson(
  options: UpstreamAddress,
  path: string,
  time = 2000,
): Promise<FoundJson | undefined> {
  const patience = new Patience({ firstByte: time, idle: time, total: time }, new AbortController().signal);
  const { url, api = defaultWire, key, headers } = options;
  try {
    const wire = typeof api === 'string' ? wireOf(api) : api;
    patience.await('firstByte');
    const fetched: Promise<Fetched> = (options.fetch ?? fetch)(addressAt(url, path), {
      method: 'GET',
      headers: { accept: 'application/json', ...authHeaders(wire, key), ...headers },
      signal: patience.signal,
      redirect: 'manual',
    });
    const response = await unlessAborted(fetched, patience.signal);
    const text = await startOfText(new ResponseText(response, patience), LONGEST);
    return { status: response.status, value: response.ok ? parsed(text) : undefined };
  } catch {
    return undefined;
  } finally {
    patience.stop();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
