// The tiny model in this process: a GGUF file, its tokenizer, the forward pass and sampling behind `LocalModel`.

import type { LocalEvent, LocalModel, LocalRequest } from '@dragoman/local';
import { AnswerText } from './answer-text.js';
import { readGguf } from './gguf.js';
import type { Kernel } from './kernel.js';
import { Llama } from './llama.js';
import { Sampler } from './sampler.js';
import { type Slot, Slots } from './slots.js';
import { readVocabulary, Tokenizer } from './tokenizer.js';

export interface TinyModelOptions {
  /** How many answers are written at once, and how many conversations are kept. Each takes about 17 MB. Default 4. */
  slots?: number;
  /** Tokens of a prompt and its answer. Default and most: those of the file. */
  context?: number;
  /** Default: `wasm`, and `plain` where WebAssembly cannot be used, which is slow. */
  kernel?: Kernel['name'];
}

/** A prompt is too long for the model. */
export class PromptTooLong extends Error {
  override readonly name = 'PromptTooLong';

  constructor(
    readonly tokens: number,
    readonly most: number,
  ) {
    super(`the prompt has ${tokens} tokens, the tiny model reads less than ${most}`);
  }
}

export class TinyModel implements LocalModel {
  readonly name: string;
  readonly grammar = false;
  readonly parallel: number;
  readonly tokenizer: Tokenizer;
  readonly #llama: Llama;
  readonly #slots: Slots;

  constructor(weights: Uint8Array, options: TinyModelOptions = {}) {
    const { slots = 4, ...others } = options;
    const file = readGguf(weights);
    this.name = String(file.metadata.get('general.name') ?? 'tiny');
    this.tokenizer = new Tokenizer(readVocabulary(file));
    this.#llama = new Llama(file, { slots, ...others });
    this.#slots = new Slots(this.#llama, slots);
    this.parallel = slots;
  }

  get contextLength(): number {
    return this.#llama.sizes.context;
  }

  get kernel(): Kernel['name'] {
    return this.#llama.kernel.name;
  }

  async *generate(request: LocalRequest): AsyncGenerator<LocalEvent> {
    const { prompt, signal } = request;
    signal.throwIfAborted();
    const tokens = this.tokenizer.encodePieces(prompt);
    if (tokens.length >= this.contextLength) throw new PromptTooLong(tokens.length, this.contextLength);
    const slot = await this.#slots.take(tokens, signal);
    try {
      yield* this.#answer(request, tokens, slot);
    } finally {
      this.#slots.release(slot);
    }
  }

  async close(): Promise<void> {}

  async *#answer(
    { sampling, stop, maxTokens, signal }: LocalRequest,
    tokens: readonly number[],
    slot: Slot,
  ): AsyncGenerator<LocalEvent> {
    const cachedTokens = slot.tokens.length;
    const most = Math.min(maxTokens ?? Number.POSITIVE_INFINITY, this.contextLength - tokens.length);
    const sampler = new Sampler(sampling);
    const text = new AnswerText(stop);
    let logits = await this.#readPrompt(slot, tokens, signal);
    let outputTokens = 0;
    let reason: 'stop' | 'length' = 'length';
    while (outputTokens < most && reason === 'length') {
      const token = sampler.next(logits);
      outputTokens++;
      const isEnd = token === this.tokenizer.end;
      const isSilent = isEnd || token === this.tokenizer.begin;
      const told = isSilent ? '' : text.add(this.tokenizer.bytesOf(token));
      if (isEnd || text.stopped) reason = 'stop';
      if (told !== '') yield { type: 'text', text: told };
      signal.throwIfAborted();
      if (reason === 'stop' || outputTokens === most) break;
      logits = this.#read(slot, [token]);
      await nextTurn();
      signal.throwIfAborted();
    }
    const rest = text.end();
    if (rest !== '') yield { type: 'text', text: rest };
    const usage = { inputTokens: tokens.length, cachedTokens, outputTokens };
    yield { type: 'end', reason, usage, held: false };
  }

  /** Reads what the slot does not hold yet, in portions between which others get their turn. */
  async #readPrompt(slot: Slot, tokens: readonly number[], signal: AbortSignal): Promise<Float32Array> {
    for (;;) {
      const at = slot.tokens.length;
      const logits = this.#read(slot, tokens.slice(at, at + this.#llama.portion), tokens.length);
      await nextTurn();
      signal.throwIfAborted();
      if (slot.tokens.length === tokens.length) return logits;
    }
  }

  /** Reads tokens behind those of the slot. Gives the logits behind the last one, if it is at the place `wanted`. */
  #read(slot: Slot, tokens: readonly number[], wanted = slot.tokens.length + tokens.length): Float32Array {
    const at = slot.tokens.length;
    const isLast = at + tokens.length === wanted;
    const logits = this.#llama.read(slot.number, at, tokens, isLast);
    slot.tokens.push(...tokens);
    return logits ?? new Float32Array();
  }
}

/** Lets other work of the process go on. A timer would wait for milliseconds in browsers. */
function nextTurn(): Promise<void> {
  if (typeof setImmediate === 'function') return new Promise((resolve) => setImmediate(resolve));
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    // The types of Node lack what browsers have.
    const port = port1 as typeof port1 & { onmessage: () => void };
    port.onmessage = () => {
      port.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
