// Chooses the next token: penalties, then temperature, then the limits, then chance. Without a temperature it is always
// the likeliest: a call has few words that may vary.

import type { Sampling } from '@dragoman/local';

export class Sampler {
  readonly #random: () => number;
  /** How often the tokens of the answer were chosen. */
  readonly #counts = new Map<number, number>();

  constructor(readonly sampling: Sampling) {
    this.#random = randomFrom(sampling.seed ?? Math.floor(Math.random() * 2 ** 32));
  }

  /** Changes the logits. */
  next(logits: Float32Array): number {
    this.#penalise(logits);
    const token = this.#choose(logits);
    this.#counts.set(token, (this.#counts.get(token) ?? 0) + 1);
    return token;
  }

  #choose(logits: Float32Array): number {
    const best = indexOfLargest(logits);
    const { temperature = 0, topK = 0, topP = 1, minP = 0 } = this.sampling;
    if (!(temperature > 0) || topK === 1) return best;
    const largest = logits[best] ?? 0;
    const weights = logits.map((logit) => Math.exp((logit - largest) / temperature));
    // The weight of the likeliest is 1, so this is its share of it.
    const likely = [...weights.keys()].filter((id) => (weights[id] ?? 0) > 0 && (weights[id] ?? 0) >= minP);
    if (topK > 0 || topP < 1) likely.sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b);
    if (topK > 0) likely.length = Math.min(likely.length, topK);
    const total = likely.reduce((sum, id) => sum + (weights[id] ?? 0), 0);
    const kept = topP < 1 ? firstOf(likely, weights, total * topP) : likely;
    let rest = this.#random() * kept.reduce((sum, id) => sum + (weights[id] ?? 0), 0);
    for (const id of kept) {
      rest -= weights[id] ?? 0;
      if (rest < 0) return id;
    }
    return kept.at(-1) ?? best;
  }

  /** Of the tokens of the answer alone: those of the prompt are what calls are made of. */
  #penalise(logits: Float32Array): void {
    const { presencePenalty = 0, frequencyPenalty = 0, repetitionPenalty = 1 } = this.sampling;
    if (presencePenalty === 0 && frequencyPenalty === 0 && repetitionPenalty === 1) return;
    for (const [id, count] of this.#counts) {
      const logit = logits[id] ?? 0;
      const repeated = logit > 0 ? logit / repetitionPenalty : logit * repetitionPenalty;
      logits[id] = repeated - presencePenalty - count * frequencyPenalty;
    }
  }
}

/** Gives the fewest first tokens, at least one, whose weights reach a sum. */
function firstOf(ids: readonly number[], weights: Float32Array, sum: number): number[] {
  let reached = 0;
  let count = 0;
  while (count < ids.length && (count === 0 || reached < sum)) reached += weights[ids[count++] ?? 0] ?? 0;
  return ids.slice(0, count);
}

function indexOfLargest(values: Float32Array): number {
  let best = 0;
  for (let at = 1; at < values.length; at++) if ((values[at] ?? 0) > (values[best] ?? 0)) best = at;
  return best;
}

/** Random numbers from 0 to below 1 that depend on the seed alone. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
