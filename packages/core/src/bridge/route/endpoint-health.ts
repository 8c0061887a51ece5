// How well one endpoint does: its tool-call error rate over a sliding window of answers, and whether it is down. The
// memory is fixed: two numbers for each answer of the window.

/** Fewer answers than these count as so many: one fault after a start is not a rate of 100 %. */
const FEWEST = 10;

/** So many right answers in a row show that an endpoint that shed its traffic is well again. */
const RECOVERY = 10;

/** Results older than this are forgotten, so that an endpoint with little traffic is tried again. */
const OLDEST = 600_000;

/** How long an endpoint that failed is skipped, in milliseconds: doubled with each failure in a row. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 60_000;
/** The longest pause that an endpoint can ask for with `retry-after`. */
const LONGEST_ASKED = 600_000;

export class EndpointHealth {
  readonly #times: Float64Array;
  readonly #faulty: Uint8Array;
  /** How many answers were recorded, and how many of them are remembered. */
  #recorded = 0;
  #kept = 0;
  #rightInARow = 0;
  #failures = 0;
  /** The end of the pause after the last failure. */
  #pausedUntil = Number.NEGATIVE_INFINITY;
  /** The same, or the end of the time that a probe has. */
  #downUntil = Number.NEGATIVE_INFINITY;

  constructor(window: number) {
    this.#times = new Float64Array(window);
    this.#faulty = new Uint8Array(window);
  }

  /** The share of the remembered answers that had a fault. */
  errorRate(now: number): number {
    let faults = 0;
    let answers = 0;
    for (let back = 1; back <= this.#kept; back++) {
      const at = (this.#recorded - back) % this.#times.length;
      if (now - (this.#times[at] as number) > OLDEST) break;
      answers++;
      faults += this.#faulty[at] as number;
    }
    return faults / Math.max(answers, FEWEST);
  }

  /** Records an answer to a request with tools. */
  answered(faulty: boolean, now: number): void {
    const at = this.#recorded % this.#times.length;
    this.#times[at] = now;
    this.#faulty[at] = Number(faulty);
    this.#recorded++;
    this.#kept = Math.min(this.#kept + 1, this.#times.length);
    this.#rightInARow = faulty ? 0 : this.#rightInARow + 1;
  }

  /** Forgets all answers before the latest right ones, if there are enough of them. */
  recover(): void {
    if (this.#rightInARow >= Math.min(RECOVERY, this.#times.length)) {
      this.#kept = Math.min(this.#kept, this.#rightInARow);
    }
  }

  isDown(now: number): boolean {
    return now < this.#downUntil;
  }

  get downUntil(): number {
    return this.#downUntil;
  }

  /** The endpoint gave no answer. `retryAfter` is in seconds. Requests that fail during a pause do not prolong it. */
  failed(now: number, retryAfter = 0): void {
    if (now >= this.#pausedUntil) this.#failures++;
    const asked = Math.min(retryAfter * 1000, LONGEST_ASKED);
    this.#pausedUntil = Math.max(this.#pausedUntil, now + asked);
    if (now >= this.#pausedUntil) this.#pausedUntil = now + this.#pause();
    this.#downUntil = this.#pausedUntil;
  }

  worked(): void {
    this.#failures = 0;
    this.#pausedUntil = Number.NEGATIVE_INFINITY;
    this.#downUntil = Number.NEGATIVE_INFINITY;
  }

  /** After a pause one request probes the endpoint; the others go elsewhere until it has worked or failed again. */
  asked(now: number): void {
    if (this.#failures > 0) this.#downUntil = Math.max(this.#downUntil, now + this.#pause());
  }

  #pause(): number {
    return Math.min(FIRST_PAUSE * 2 ** Math.min(this.#failures - 1, 30), LONGEST_PAUSE);
  }
}
