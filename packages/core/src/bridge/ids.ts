// Ids as the clients of an API expect them: the API's prefix and 24 letters and digits.

import type { Message, ModelRequest } from '../model/index.js';
import { defaultWire, type IdPrefixes, wires } from '../wire/index.js';

/** Gives the prefixes of the options, else those of the API that the request used. */
export function prefixesOf({ ids }: { ids?: IdPrefixes }, { api }: ModelRequest): IdPrefixes {
  return ids ?? (wires.find(({ name }) => name === api) ?? defaultWire).ids;
}

/** Gives the ids of the calls in a conversation. */
export function callIds(messages: readonly Message[]): string[] {
  const ids: string[] = [];
  for (const { parts } of messages)
    for (const part of parts) if (part.type === 'tool-call') ids.push(part.id);
  return ids;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random bytes, drawn in advance: drawing a few costs as much as drawing many. */
const bytes = new Uint8Array(2048);
let used = bytes.length;

export function newId(prefix: string): string {
  let id = prefix;
  while (id.length < prefix.length + 24) {
    const byte = nextByte();
    // 248 is the largest multiple of 62 in a byte: higher values would favour some letters.
    if (byte < 248) id += alphabet.charAt(byte % 62);
  }
  return id;
}

function nextByte(): number {
  if (used === bytes.length) {
    crypto.getRandomValues(bytes);
    used = 0;
  }
  return bytes[used++] as number;
}
