// Watches which pieces exist, how far the others are, and whether the queue still has their jobs.

import { setTimeout as delay } from 'node:timers/promises';
import type { ConvertError } from '../files/convert-error.js';
import type { ShardProgress } from './convert-shard.js';
import { listPieces, type Piece, readPiece, removePiece } from './pieces.js';
import { fromFailure, type ShardJob } from './shard-job.js';
import type { ShardQueue } from './shard-queue.js';

export interface Watched {
  folder: string;
  run: string;
  /** All shards of the run, in order; those before `first` are in the output already. */
  jobs: readonly ShardJob[];
  first: number;
  queue: ShardQueue;
  strict: boolean;
  stop: AbortSignal;
  /** Called each time a shard makes progress. */
  onProgress(index: number, progress: ShardProgress): void;
  describe(index: number): string;
}

const LOOK_MS = 500;
const PROBE_MS = 2000;
/** How many shards to look up: a queue that lost one shard lost more, so a few are enough. */
const PROBES = 16;
const LONELY_MS = 10_000;

export class PieceWatch {
  readonly #pieces = new Map<number, Piece>();
  readonly #end: () => void;
  #wake: () => void = () => {};
  #failure: ConvertError | undefined;
  #probing = false;
  #probed = Date.now();
  #alive = Date.now();
  /** Shards reported as failed, whose state is not yet checked. */
  readonly #suspects = new Set<number>();
  /** The first shard that is not in the output, and the end of those that are waited for. */
  #next: number;
  #until: number;

  constructor(readonly watched: Watched) {
    const { run, jobs, first, queue, onProgress } = watched;
    this.#next = first;
    this.#until = jobs.length;
    this.#end = queue.follow(run, {
      onProgress: (index, progress) => {
        this.#alive = Date.now();
        onProgress(index, progress);
      },
      onFailed: (index) => {
        this.#suspects.add(index);
        this.#lookNow();
      },
      onChange: () => this.#lookNow(),
    });
  }

  /** Puts the missing shards on the queue. Those that failed in an earlier run get another chance. */
  async begin(): Promise<void> {
    const { queue, run } = this.watched;
    await this.look();
    const missing = this.#missing();
    await queue.withdraw(run, indexesOf(missing));
    await queue.put(missing);
  }

  /** Waits for a piece. Undefined: the run is stopped. */
  async piece(index: number): Promise<Piece | undefined> {
    const { stop } = this.watched;
    while (!stop.aborted) {
      const piece = this.#pieces.get(index);
      if (piece) return piece;
      if (this.#failure) throw this.#failure;
      await this.look();
      if (this.#pieces.has(index)) continue;
      this.#probe();
      await this.#pause();
    }
    return undefined;
  }

  /** Records that the piece is in the output. */
  merged(index: number): void {
    this.#pieces.delete(index);
    this.#next = index + 1;
  }

  async end(): Promise<void> {
    const { queue, run } = this.watched;
    this.#end();
    await queue.withdraw(run, indexesOf(this.#missing()));
  }

  /** Looks for new pieces in the folder. */
  async look(): Promise<void> {
    const { folder } = this.watched;
    for (const index of await listPieces(folder)) {
      if (index < this.#next || this.#pieces.has(index)) continue;
      const piece = await readPiece(folder, index);
      if (piece) await this.#add(index, piece);
    }
  }

  async #add(index: number, piece: Piece): Promise<void> {
    const { strict, folder, onProgress } = this.watched;
    // The piece is of an earlier strict run and ends with its first bad row, so rows may be missing.
    if (piece.cut && !strict) return removePiece(folder, index);
    this.#pieces.set(index, piece);
    this.#alive = Date.now();
    onProgress(index, { share: 1, rows: piece.report.rows, bad: piece.report.badRows });
    if (strict && piece.report.badRows > 0 && index + 1 < this.#until) await this.#stopBehind(index);
  }

  async #stopBehind(index: number): Promise<void> {
    const { queue, run, jobs } = this.watched;
    const later = jobs.slice(index + 1, this.#until);
    this.#until = index + 1;
    await queue.withdraw(run, indexesOf(later));
  }

  /** Asks the queue in the background: without Redis there is no answer, and nothing else has to wait for it. */
  #probe(): void {
    if (this.#probing || Date.now() - this.#probed < PROBE_MS) return;
    this.#probing = true;
    this.#probed = Date.now();
    void this.#ask()
      .catch((error) => this.watched.queue.connection.tell(error as Error))
      .finally(() => {
        this.#probing = false;
      });
  }

  async #ask(): Promise<void> {
    const { queue, run, describe } = this.watched;
    const asked = this.#missing().filter(({ index }, n) => n < PROBES || this.#suspects.has(index));
    this.#suspects.clear();
    const states = await Promise.all(asked.map(({ index }) => queue.stateOf(run, index)));
    for (const [n, state] of states.entries()) {
      if (typeof state === 'object')
        this.#failure ??= fromFailure(state.failed, describe(asked[n]?.index ?? 0));
    }
    if (this.#failure) return this.#wake();
    this.#tellIfLonely();
    if (!states.includes('gone')) return;
    // A job may be gone because it is done: it is lost only if its piece is still missing after another look.
    await this.look();
    const gone = asked.filter(({ index }, n) => states[n] === 'gone' && !this.#pieces.has(index));
    if (gone.length > 0) await queue.put(this.#missing());
  }

  #tellIfLonely(): void {
    if (Date.now() - this.#alive < LONELY_MS) return;
    this.#alive = Number.POSITIVE_INFINITY;
    this.watched.queue.connection.on({ type: 'no-worker' });
  }

  #missing(): ShardJob[] {
    return this.watched.jobs.slice(this.#next, this.#until).filter(({ index }) => !this.#pieces.has(index));
  }

  #lookNow(): void {
    this.#probed = 0;
    this.#wake();
  }

  async #pause(): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    const timer = new AbortController();
    await Promise.race([woken, delay(LOOK_MS, undefined, { signal: timer.signal }).catch(() => {})]);
    timer.abort();
  }
}

function indexesOf(jobs: readonly ShardJob[]): number[] {
  return jobs.map(({ index }) => index);
}
