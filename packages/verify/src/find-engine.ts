// Finds out which engine serves an endpoint.

import { detectEngine, type EngineName } from '@dragoman/core/bridge';
import { type Endpoint, sendExchange } from './endpoint.js';

/** Milliseconds for each path that shows which engine it is. */
const ENGINE_TIME = 3_000;

/** The address without the version at its end. */
function rootOf(url: string): string {
  const { origin, pathname } = new URL(url);
  const parts = pathname.split('/').filter((part) => part !== '');
  if (/^v\d+$/.test(parts.at(-1) ?? '')) parts.pop();
  return [origin, ...parts].join('/');
}

/** Asks the paths that only one engine has, at the root of the server. */
export async function findEngine(endpoint: Endpoint, signal: AbortSignal): Promise<EngineName | undefined> {
  const root = rootOf(endpoint.url);
  const get = async (url: string, path: string): Promise<unknown> => {
    const outgoing = { method: 'GET' as const, path, body: '', streamed: false };
    const found = await sendExchange({ ...endpoint, url, timeout: ENGINE_TIME }, outgoing, signal);
    if (found.status !== 200) return undefined;
    try {
      return JSON.parse(found.pieces.map(([, text]) => text).join(''));
    } catch {
      return undefined;
    }
  };
  const engine = await detectEngine(await get(endpoint.url, '/models'), (path) => get(root, path));
  return engine?.name;
}
