// The streaming path in process: deltas of four characters through the bridge to the last byte of the response,
// against a proxy that only passes them on.

import { findDialect } from '@dragoman/core';
import type { DeltaKind } from './deltas.js';
import { type BridgeMode, bridgeOptions, type ClientApi, passOn, readThrough, writer } from './exchange.js';
import { callText, cut, fileText, MB, prose } from './inputs.js';
import { BRIDGE_TO_FLOOR, LAST_TO_FIRST_TENTH } from './limits.js';
import { cpuNow, cpuOfAsync } from './measure.js';

export interface BridgePath {
  api: ClientApi;
  mode: BridgeMode;
  dialect: string;
  kind: DeltaKind;
}

export interface BridgeSpeed extends BridgePath {
  /** Nanoseconds a delta. */
  ours: number;
  floor: number;
  ratio: number;
  lastToFirst: number;
}

export const BRIDGE_DIALECTS = ['hermes', 'glm-4.5', 'deepseek-v4', 'xnl'] as const;
const DELTA = 4;

/** A text, or a call whose head and tail are deltas of their own. */
export function bridgeDeltas(dialect: string, kind: DeltaKind, length: number): string[] {
  if (kind === 'prose') return cut(prose(length), DELTA);
  const { head, argument, tail } = callText(findDialect(dialect), fileText(length));
  return [head, ...cut(argument, DELTA), tail];
}

/** Best of `rounds`, again up to three times while it is over a limit: noise only ever adds. */
export async function bridgeSpeed(path: BridgePath, length = MB, rounds = 2): Promise<BridgeSpeed> {
  const deltas = bridgeDeltas(path.dialect, path.kind, length);
  const tenths = new Array<number>(10).fill(Number.POSITIVE_INFINITY);
  let ours = Number.POSITIVE_INFINITY;
  let floor = Number.POSITIVE_INFINITY;
  let lastToFirst = 0;
  for (let tries = 0; tries < 3; tries++) {
    for (let round = 0; round < rounds; round++) {
      ours = Math.min(ours, await cpuOfAsync(() => readInTenths(path, deltas, tenths)));
      floor = Math.min(floor, await cpuOfAsync(() => passOn(path.api, deltas)));
    }
    lastToFirst = (tenths[9] as number) / (tenths[0] as number);
    if (ours <= BRIDGE_TO_FLOOR * floor && lastToFirst <= LAST_TO_FIRST_TENTH) break;
  }
  const each = 1e6 / deltas.length;
  return { ...path, ours: ours * each, floor: floor * each, ratio: ours / floor, lastToFirst };
}

/** Keeps the best time of each tenth, from its first delta to that of the next, a call's head and tail apart. */
async function readInTenths(
  { api, mode, dialect, kind }: BridgePath,
  deltas: readonly string[],
  tenths: number[],
): Promise<number> {
  const from = kind === 'argument' ? 1 : 0;
  const count = deltas.length - 2 * from;
  const marks = Array.from({ length: 11 }, (_, n) => from + Math.floor((n * count) / 10));
  let next = 0;
  let before = 0;
  const watch = (at: number) => {
    if (at !== marks[next]) return;
    const now = cpuNow();
    if (next > 0) tenths[next - 1] = Math.min(tenths[next - 1] as number, now - before);
    before = now;
    next++;
  };
  const upstream = writer(deltas, { native: mode === 'heal', watch });
  const bytes = await readThrough(api, { ...bridgeOptions(mode, dialect), upstream });
  if (bytes < deltas.length) throw new Error(`${api}, ${dialect}: ${kind} was lost`);
  return bytes;
}
