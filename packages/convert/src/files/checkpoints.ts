// Writes the journal of a run from time to time, while rows go on being converted and written: only the end of the run
// waits for the disk.

import type { Sink, Standing } from './sink.js';

/** The longest pause between two journals. They cost disk writes, so the pause is short only at the start of a run. */
const MOST_MS = 500;

function pauseAfter(elapsed: number): number {
  return Math.min(20 + elapsed / 10, MOST_MS);
}

export class Checkpoints {
  readonly #begun = Date.now();
  #last = this.#begun;
  #underway: Promise<void> | undefined;
  #failed: { error: unknown } | undefined;

  /** `pauseMs`: least time between two journals. */
  constructor(
    readonly sink: Pick<Sink, 'checkpoint'>,
    readonly pauseMs: number | undefined,
  ) {}

  /** Starts a journal if it is time. Throws the error of an earlier one. */
  offer(standing: Standing): void {
    if (this.#failed) throw this.#failed.error;
    const pause = this.pauseMs ?? pauseAfter(this.#last - this.#begun);
    if (this.#underway || Date.now() - this.#last < pause) return;
    this.#underway = this.sink
      .checkpoint(standing)
      .catch((error: unknown) => {
        this.#failed = { error };
      })
      .finally(() => {
        this.#underway = undefined;
        this.#last = Date.now();
      });
  }

  /** Writes one more journal, after the running one is done. */
  async write(standing: Standing): Promise<void> {
    await this.settled();
    await this.sink.checkpoint(standing);
  }

  /** Waits for the running journal. Throws as `offer` does. */
  async settled(): Promise<void> {
    await this.#underway;
    if (this.#failed) throw this.#failed.error;
  }
}
