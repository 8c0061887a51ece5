// Who may ask. Keys are compared by their digests, all of them each time, so that time tells nothing.

import type { KeyConfig } from '../config/config.js';

export interface KeyRing {
  /** Nobody needs a key. */
  readonly open: boolean;
  find(key: string): Promise<KeyConfig | undefined>;
}

export function createKeyRing(keys: readonly KeyConfig[]): KeyRing {
  const digests = Promise.all(keys.map(async (one) => ({ one, digest: await digestOf(one.key) })));
  return {
    open: keys.length === 0,
    async find(key) {
      const asked = await digestOf(key);
      let found: KeyConfig | undefined;
      for (const { one, digest } of await digests) if (sameBytes(asked, digest)) found = one;
      return found;
    },
  };
}

async function digestOf(key: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key)));
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at++) difference |= (a[at] ?? 0) ^ (b[at] ?? 0);
  return difference === 0;
}
