// Reads the arguments of a call as one JSON value and streams them as they arrive.

import type { Mode, Reader } from '../../engine/reader.js';
import { type JsonFailure, JsonReader, type JsonReaderOptions } from '../../text/json.js';
import { argumentHint } from './json-arguments.js';

/** How many characters of JSON are read before they are passed on. */
export const PAUSE = 32768;

export type JsonReaderCloser = NonNullable<JsonReaderOptions['closer']>;

interface ArgumentsPlace {
  /** Matches what ends JSON that is incomplete. */
  closer: JsonReaderCloser;
  /** Collects the JSON for `done` instead of streaming it. */
  gathers?: boolean;
  done: (reader: Reader, gathered: string) => Mode;
  fail: (reader: Reader, code: JsonFailure['code'], message: string) => Mode;
}

/** | {…}  — reads the value that begins here, to its end. */
export function streamedArguments(reader: Reader, place: ArgumentsPlace): Mode {
  const { closer, gathers = false, done, fail } = place;
  const { depth, members } = reader.limits;
  const json = new JsonReader({ maxDepth: depth, maxMembers: members, closer });
  json.watch = -1;
  json.pause = PAUSE;
  json.hint = argumentHint(reader);
  const base = reader.position;
  let gathered = '';
  const reading: Mode = (r) => {
    const from = r.at;
    const to = json.read(r.text, from, r.ended);
    const out = json.take();
    if (gathers) gathered += out;
    if (gathers) r.markup(to - from);
    else r.argument(out, to - from);
    if (json.hasNotes && r.call) noteJson(r, json, base);
    if (json.failure) return fail(r, json.failure.code, json.failure.message);
    if (json.done) return done(r, gathered);
    return to > from && to < r.text.length ? reading : undefined;
  };
  return reading;
}

/** Moves repairs and duplicate keys from the JSON, which began at the absolute offset `base`, to the call. */
export function noteJson(reader: Reader, json: JsonReader, base: number): void {
  for (const { code, at } of json.repairs.splice(0)) reader.repair(code, base + at, base + at + 1);
  for (const { key, at } of json.duplicates.splice(0)) reader.duplicateKey(key, base + at, base + at + 1);
}
