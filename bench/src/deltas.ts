// Prose and arguments in deltas of 1, 4, 16 and 64 characters: our parser, the floor, and the peer where it reads the
// same dialect.

import { type Dialect, findDialect } from '@dragoman/core';
import { callText, cut, fileText, frameOf, KB, MB, prose } from './inputs.js';
import { cpuOfAsync, cpuOfEnough, race } from './measure.js';
import { type Peer, peerCallText, readWithPeer } from './peer.js';
import { readWith, readWithFloor } from './read.js';

export type DeltaKind = 'prose' | 'argument';
export const KINDS: readonly DeltaKind[] = ['prose', 'argument'];
export const DELTAS = [1, 4, 16, 64] as const;

export interface DeltaSpeed {
  dialect: string;
  kind: DeltaKind;
  delta: number;
  /** Nanoseconds a delta. */
  ours: number;
  floor: number;
  ratio: number;
}

export function deltaSpeed(
  dialect: Dialect,
  kind: DeltaKind,
  delta: number,
  rounds = kind === 'prose' ? 8 : 3,
): DeltaSpeed {
  const deltas = cut(textOf(dialect, kind, kind === 'prose' ? 256 * KB : MB), delta);
  const frame = frameOf(dialect);
  const best = race(
    { ours: () => readWith(dialect, deltas), floor: () => readWithFloor(frame, deltas) },
    rounds,
  );
  const each = 1e6 / deltas.length;
  const { ours, floor } = best;
  return { dialect: dialect.name, kind, delta, ours: ours * each, floor: floor * each, ratio: ours / floor };
}

function textOf(dialect: Dialect, kind: DeltaKind, length: number): string {
  if (kind === 'prose') return prose(length);
  const { head, argument, tail } = callText(dialect, fileText(length));
  return head + argument + tail;
}

export interface PeerSpeed {
  peer: string;
  kind: DeltaKind;
  delta: number;
  /** Characters that both read. */
  length: number;
  /** The peer is measured on a shorter text, since its time grows faster than the text. */
  capped: boolean;
  /** Nanoseconds a character. */
  peers: number;
  ours: number;
  ratio: number;
  /** The peer's time for this length against half of it. */
  growth: number;
}

/** Milliseconds beyond which the peer is not given a longer text. */
const PATIENCE = 1500;

/** Doubles the text while the peer keeps up; at the last length both read the same, in turns. */
export async function peerSpeed(peer: Peer, kind: DeltaKind, delta: number): Promise<PeerSpeed> {
  const dialect = findDialect(peer.dialect ?? 'qwen3-coder');
  const full = kind === 'prose' ? 256 * KB : MB;
  let length = 4 * KB;
  let time = 0;
  let growth = 0;
  for (; ; length *= 2) {
    const deltas = cut(peerText(peer, kind, length), delta);
    const spent = await cpuOfAsync(() => readWithPeer(peer, deltas));
    growth = time > 0 ? spent / time : 0;
    time = spent;
    if (length >= full || spent * 3 > PATIENCE) break;
  }
  const deltas = cut(peerText(peer, kind, length), delta);
  const again = await cpuOfAsync(() => readWithPeer(peer, deltas));
  const own = cut(textOf(dialect, kind, length), delta);
  cpuOfEnough(() => readWith(dialect, own), 200);
  const ours = cpuOfEnough(() => readWith(dialect, own), 100);
  const peers = Math.min(time, again);
  const each = 1e6 / length;
  const capped = length < full;
  const ratio = peers / ours;
  return {
    peer: peer.name,
    kind,
    delta,
    length,
    capped,
    peers: peers * each,
    ours: ours * each,
    ratio,
    growth,
  };
}

function peerText(peer: Peer, kind: DeltaKind, length: number): string {
  if (kind === 'prose') return prose(length);
  return peer.dialect
    ? textOf(findDialect(peer.dialect), kind, length)
    : peerCallText(peer, fileText(length));
}
