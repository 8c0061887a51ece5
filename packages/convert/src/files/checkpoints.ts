// Journals of a run, from time to time, while rows go on being converted and written: nobody waits for the disk but
// who ends the run.

import type { Sink, Standing } from './sink.js';

/** A journal costs work of the disk, so it is written once in a while; more often while little is done. */
const MOST_MS = 500;

function pauseAfter(elapsed: number): number {
  return Math.min(20 + elapsed / 10, MOST_MS);
}

export class Checkpoints {
  readonly #begun = Date.now();
  #last = this.#begun;
  #underway: Promise<void> | undefined;
  #failed: { error: unknown } | undefined;

  /** `pauseMs`: least time between two. */
  constructor(
    readonly sink: Pick<Sink, 'checkpoint'>,
    readonly pauseMs: number | undefined,
  ) {}

  /** Begins one if it is time. Throws what went wrong with an earlier one. */
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

  /** One more, when that under way is done. */
  async write(standing: Standing): Promise<void> {
    await this.settled();
    await this.sink.checkpoint(standing);
  }

  /** Until none is under way. Throws as `offer` does. */
  async settled(): Promise<void> {
    await this.#underway;
    if (this.#failed) throw this.#failed.error;
  }
}
