// Times of all streamed answers: the first byte, the time for each token, and how the answer grows over its time.

import { silentShare } from './checks/stream-checks.js';
import type { Turn } from './turn.js';

export interface Spread {
  median: number;
  /** Nine of ten are below it. */
  p90: number;
  max: number;
  of: number;
}

export interface Latency {
  /** Milliseconds from the request to the first byte. */
  first_byte?: Spread;
  /** Milliseconds for each output token, from the first byte to the end. */
  per_token?: Spread;
  /** The share of the text that had arrived at 0, 5, … 100 % of the answer's time, on average. */
  growth?: number[];
  /** The longest silence of an answer, as a share of its time. */
  silence?: Spread;
}

const STEPS = 20;

export class LatencyCount {
  readonly #first: number[] = [];
  readonly #tokens: number[] = [];
  readonly #silences: number[] = [];
  readonly #growth = new Array<number>(STEPS + 1).fill(0);
  #grown = 0;

  add(turn: Turn): void {
    const { streamed, failure, times, usage } = turn;
    if (!streamed || failure !== undefined) return;
    this.#first.push(times.firstByte);
    const tokens = usage?.outputTokens ?? 0;
    if (tokens > 1) this.#tokens.push((times.total - times.firstByte) / (tokens - 1));
    this.#silences.push(silentShare(turn));
    this.#grow(turn);
  }

  #grow({ times: { firstByte, total, arrivals } }: Turn): void {
    const length = arrivals.reduce((sum, [, characters]) => sum + characters, 0);
    if (length === 0 || total <= firstByte) return;
    this.#grown++;
    let at = 0;
    let arrived = 0;
    for (let step = 0; step <= STEPS; step++) {
      const until = firstByte + ((total - firstByte) * step) / STEPS;
      for (let next = arrivals[at]; next && next[0] <= until; next = arrivals[++at]) arrived += next[1];
      this.#growth[step] = (this.#growth[step] ?? 0) + arrived / length;
    }
  }

  latency(): Latency {
    const first = spreadOf(this.#first);
    const tokens = spreadOf(this.#tokens);
    const silence = spreadOf(this.#silences);
    return {
      ...(first && { first_byte: first }),
      ...(tokens && { per_token: tokens }),
      ...(this.#grown > 0 && { growth: this.#growth.map((sum) => round(sum / this.#grown)) }),
      ...(silence && { silence }),
    };
  }
}

function spreadOf(values: readonly number[]): Spread | undefined {
  if (values.length === 0) return undefined;
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  return { median: at(0.5), p90: at(0.9), max: at(1), of: sorted.length };
}

const round = (value: number) => Math.round(value * 1000) / 1000;
