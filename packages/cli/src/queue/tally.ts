// How far all shards are together. A shard that is begun anew counts from where it was: what is shown never falls.

import type { Work } from '../convert/job.js';
import type { PlannedShard } from './plan-shards.js';

interface Counts {
  bytes: number;
  rows: number;
  bad: number;
}

export class Tally {
  readonly #shards = new Map<number, Counts>();
  #bytes = 0;
  /** Until the run begins, what is found is what earlier ones did. */
  #begun = false;

  constructor(
    readonly shards: readonly PlannedShard[],
    readonly work: Pick<Work, 'onBlock' | 'onSkipped'>,
  ) {}

  begin(): void {
    this.#begun = true;
  }

  count(index: number, { share, rows, bad }: { share: number; rows: number; bad: number }): void {
    const size = this.shards[index]?.size ?? 0;
    const was = this.#shards.get(index) ?? { bytes: 0, rows: 0, bad: 0 };
    const is = {
      bytes: Math.max(was.bytes, Math.min(Math.round(size * share), size)),
      rows: Math.max(was.rows, rows),
      bad: Math.max(was.bad, bad),
    };
    this.#shards.set(index, is);
    this.#bytes += is.bytes - was.bytes;
    if (this.#begun) this.work.onBlock(this.#bytes, { rows: is.rows - was.rows, bad: is.bad - was.bad });
    else this.work.onSkipped(this.#bytes);
  }
}
