// Draws many answers to one prompt that a grammar holds, each from a seed of its own. Answers that begin alike share
// what was computed for their beginning: they are the branches of a tree, which is walked in depth, so that every
// place of it is evaluated once and one list of keys and values is enough.
//
//   <tool_call>{"name": "      evaluated once for all
//     ├─ get_weather", …       once for those that chose it
//     └─ stop", …
//
// The weights are evaluated by the runtime of @dragoman/tiny, the grammar is llama.cpp's own. Which token follows is
// drawn as llama.cpp does it without further limits: of those that the grammar allows, by the temperature.

import { readFileSync } from 'node:fs';
import { Llama, readGguf, readVocabulary, Tokenizer } from '@dragoman/tiny';

const inside = (name) => new URL(`../../packages/local/dist/llama/${name}.js`, import.meta.url).href;
const { Hold } = await import(inside('hold'));
const { loadEngine } = await import(inside('load-llama'));

/** Tokens that a grammar refuses at one place before it is asked for all. */
const MUCH = 24;

export class AnswerTree {
  static async load(path) {
    const engine = await loadEngine({ gpu: false });
    const vocabulary = await engine.llama.loadModel({ modelPath: path, gpuLayers: 0 });
    return new AnswerTree(engine, vocabulary, readGguf(readFileSync(path)));
  }

  constructor(engine, vocabulary, file) {
    this.engine = engine;
    this.vocabulary = vocabulary;
    this.llama = new Llama(file, { slots: 1 });
    this.tokenizer = new Tokenizer(readVocabulary(file));
    /** For each token the one of its first character; itself where there is none. */
    this.firsts = firstsOf(this.tokenizer);
    /** The prompt that is in the cache. */
    this.known = [];
  }

  get contextLength() {
    return this.llama.sizes.context;
  }

  /** Gives the answer of each seed: {pieces, tokens, reason, prompt}. */
  async draw({ prompt, grammar, sampling, stop, maxTokens }, seeds) {
    const tokens = this.tokenizer.encodePieces(prompt);
    const hold = await Hold.create(this.engine, this.vocabulary, grammar, stop);
    const logits = this.#readPrompt(tokens);
    const { temperature } = sampling;
    const limits = { temperature, stop, most: Math.min(maxTokens, this.contextLength - tokens.length) };
    const answers = new Map();
    this.#branch({ seeds, at: tokens.length, path: [], state: hold.state, logits }, limits, answers);
    for (const answer of answers.values()) answer.prompt = tokens.length;
    return answers;
  }

  #readPrompt(tokens) {
    let at = 0;
    while (at < this.known.length && at < tokens.length - 1 && this.known[at] === tokens[at]) at++;
    this.known = tokens;
    for (;;) {
      const portion = tokens.slice(at, at + this.llama.portion);
      const isLast = at + portion.length === tokens.length;
      const logits = this.llama.read(0, at, portion, isLast);
      if (isLast) return logits;
      at += portion.length;
    }
  }

  #branch({ seeds, at, path, state, logits }, limits, answers) {
    const { stop, most, temperature } = limits;
    const chosen = this.#choose(seeds, path.length, { state, logits, temperature });
    for (const [token, followers] of chosen) {
      const end = (reason, tokens) => {
        for (const seed of followers) answers.set(seed, { tokens, pieces: this.#pieces(tokens), reason });
      };
      if (this.vocabulary.isEogToken(token)) {
        end('stop', path);
        continue;
      }
      const next = [...path, token];
      const written = this.#pieces(next).join('');
      if (stop.some((one) => written.includes(one))) end('stop', next);
      else if (next.length >= most) end('length', next);
      else {
        const accepted = state.clone();
        this.engine.llama._bindings.AddonSampler.acceptGrammarEvaluationStateToken(accepted._state, token);
        this.#branch(
          {
            seeds: followers,
            at: at + 1,
            path: next,
            state: accepted,
            logits: this.llama.read(0, at, [token], true),
          },
          limits,
          answers,
        );
      }
    }
  }

  /**
   * Draws a token for each seed. Only what was drawn is asked of the grammar: what it refuses is drawn again without
   * it, which gives the same shares as if all others had been refused before. Where it refuses much, all are asked.
   */
  #choose(seeds, depth, { state, logits, temperature }) {
    const weights = weightsOf(logits, temperature);
    const isAllowed = this.#asker(state);
    const chosen = new Map();
    let total = sumOf(weights);
    let refused = 0;
    for (const seed of seeds) {
      const random = randomOf(seed, depth);
      for (;;) {
        const token = tokenAt(weights, random() * total);
        if (token < 0) throw new Error(`the grammar allows nothing, seed ${seed}, token ${depth}`);
        if (isAllowed(token)) {
          chosen.set(token, [...(chosen.get(token) ?? []), seed]);
          break;
        }
        weights[token] = 0;
        if (++refused === MUCH)
          for (let other = 0; other < weights.length; other++) if (!isAllowed(other)) weights[other] = 0;
        total = sumOf(weights);
      }
    }
    return chosen;
  }

  /** Asks a grammar for a token, once. One whose first character is refused is not asked for. */
  #asker(state) {
    const { AddonSampler } = this.engine.llama._bindings;
    const answers = new Int8Array(this.tokenizer.size);
    const ask = (token) => {
      if (answers[token] === 0) {
        const first = this.firsts[token];
        const isRefused = first !== token && !ask(first);
        const isAllowed =
          !isRefused && AddonSampler.canBeNextTokenForGrammarEvaluationState(state._state, token);
        answers[token] = isAllowed ? 1 : -1;
      }
      return answers[token] === 1;
    };
    return ask;
  }

  /** The text of tokens, in pieces as it would be streamed: no character is cut. */
  #pieces(tokens) {
    const decoder = new TextDecoder();
    const pieces = tokens.map((token) => decoder.decode(this.tokenizer.bytesOf(token), { stream: true }));
    return [...pieces, decoder.decode()].filter((piece) => piece !== '');
  }
}

function firstsOf(tokenizer) {
  const texts = Array.from({ length: tokenizer.size }, (_, id) =>
    Buffer.from(tokenizer.bytesOf(id)).toString(),
  );
  const isPlain = (id) => !tokenizer.isControl(id) && texts[id] !== '' && !texts[id].includes('\ufffd');
  const single = new Map();
  for (const [id, text] of texts.entries())
    if (isPlain(id) && [...text].length === 1 && !single.has(text)) single.set(text, id);
  return texts.map((text, id) => (isPlain(id) ? single.get([...text][0]) : undefined) ?? id);
}

function weightsOf(logits, temperature) {
  let largest = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < logits.length; at++) largest = Math.max(largest, logits[at]);
  const weights = new Float64Array(logits.length);
  for (let at = 0; at < logits.length; at++) weights[at] = Math.exp((logits[at] - largest) / temperature);
  return weights;
}

function sumOf(weights) {
  let sum = 0;
  for (let at = 0; at < weights.length; at++) sum += weights[at];
  return sum;
}

/** The token whose part of the sum has this place; of all that are left the last, if rounding leaves the place behind. */
function tokenAt(weights, place) {
  let rest = place;
  let last = -1;
  for (let token = 0; token < weights.length; token++) {
    if (weights[token] === 0) continue;
    last = token;
    rest -= weights[token];
    if (rest < 0) return token;
  }
  return last;
}

/** Random numbers from 0 to below 1 that depend on the seed and the place alone. */
function randomOf(seed, place) {
  let state = (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(place + 1, 0x85ebca6b)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
