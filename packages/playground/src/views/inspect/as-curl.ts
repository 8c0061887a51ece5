// A recorded request as a command for a shell.

import type { JsonValue, ModelRequest } from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';
import { isCount } from './words.js';

/** Undefined if the request was not kept whole. `base`: the address of the gateway. */
export async function asCurl(
  { api, request }: { api: string; request?: JsonValue },
  base: string,
): Promise<string | undefined> {
  if (!isObject(request) || !isObject(request.conversation)) return undefined;
  const { wires } = await import('@dragoman/core/wire');
  const wire = wires.find(({ name }) => name === request.api);
  if (!wire) return undefined;
  try {
    const body = JSON.stringify(wire.encodeRequest(request as unknown as ModelRequest), null, 2);
    const { keyHeader } = wire.auth;
    const key = keyHeader === 'authorization' ? 'authorization: Bearer $KEY' : `${keyHeader}: $KEY`;
    const path = isCount({ api }) ? (wire.counts?.path ?? wire.path) : wire.path;
    return [
      `curl ${new URL(`v1${path}`, base).href}`,
      "-H 'content-type: application/json'",
      `-H "${key}"`,
      `-d '${body.replaceAll("'", "'\\''")}'`,
    ].join(' \\\n  ');
  } catch {
    return undefined;
  }
}
