// What a JSON reader noticed, told about the call that is being read.

import type { Reader } from '../../engine/reader.js';
import type { JsonReader } from '../../text/json.js';

/** Moves repairs and duplicate keys from the JSON, which began at the absolute place `base`, to the call. */
export function noteJson(reader: Reader, json: JsonReader, base: number): void {
  for (const { code, at } of json.repairs.splice(0)) reader.repair(code, base + at, base + at + 1);
  for (const { key, at } of json.duplicates.splice(0)) reader.duplicateKey(key, base + at, base + at + 1);
}
