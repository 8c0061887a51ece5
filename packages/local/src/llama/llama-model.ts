// A GGUF file that llama.cpp runs in this process, by node-llama-cpp. All conversations share the weights and a context
// with several sequences: answers that are written at the same time are evaluated in one batch.

import { ApiError } from '@dragoman/core';
import type { GgufFile } from '../gguf/gguf-files.js';
import type { SpecialToken } from '../gguf/gguf-info.js';
import type { LocalEvent, LocalModel, LocalRequest, PromptPiece, Sampling } from '../local-model.js';
import { LocalModelError } from '../local-model-error.js';
import { DEFAULT_PARALLEL } from '../model-shelf.js';
import { SpecialTokens } from '../prompt/special-tokens.js';
import { tokenRuns } from '../prompt/token-runs.js';
import { Hold, tokensOf } from './hold.js';
import type { EvaluateOptions, LlamaContextHandle, LlamaModelHandle, Token } from './llama-api.js';
import { type Engine, type EngineOptions, loadEngine } from './load-llama.js';
import { commonLength, type Exchange, type Slot, Slots } from './slots.js';
import { StopText } from './stop-text.js';
import { TokenText } from './token-text.js';

export interface LlamaOptions extends EngineOptions {
  /** Tokens of a conversation. Default: as many as it was trained for, at most 32,768, and as memory allows. */
  context?: number;
  /** Answers that are written at once. Default 4. */
  parallel?: number;
  /** Default: the real cores. */
  threads?: number;
}

const MOST_CONTEXT = 32_768;

/** How llama.cpp samples if nothing is said. */
const DEFAULT_SAMPLING = { temperature: 0.8, topP: 0.95, topK: 40, minP: 0.05 };

/** Tokens of a prompt that are evaluated before it is asked whether the answer is still wanted. */
const PORTION = 256;

/** Throws a LocalModelError. */
export async function loadLlamaModel(file: GgufFile, options: LlamaOptions = {}): Promise<LlamaModel> {
  const engine = await loadEngine(options);
  const { parallel = DEFAULT_PARALLEL, threads = engine.cores, context } = options;
  const trained = file.info.contextLength ?? MOST_CONTEXT;
  let model: LlamaModelHandle | undefined;
  try {
    model = await engine.llama.loadModel({
      modelPath: file.path,
      ...(options.gpu === false && { gpuLayers: 0 }),
    });
    const handle = await model.createContext({
      sequences: parallel,
      contextSize: context ?? { max: Math.min(trained, MOST_CONTEXT) },
      threads,
      // On a processor it takes twice the time of plain attention for a token behind 370 others.
      ...(engine.llama.gpu === false && { flashAttention: false }),
    });
    return new LlamaModel(engine, file, model, handle, parallel);
  } catch (error) {
    await model?.dispose();
    const message = `${file.name} cannot be loaded: ${(error as Error).message}`;
    throw new LocalModelError('not-loaded', message, { cause: error });
  }
}

/** llama.cpp finds some control tokens in any text, such as <|end|> beside <|return|> and <|call|>. */
function asFound(model: LlamaModelHandle, token: SpecialToken): SpecialToken {
  const isLoose = token.kind === 'control' && model.tokenize(token.text, false).includes(token.id as Token);
  return isLoose ? { ...token, kind: 'loose' } : token;
}

function oursOf(pieces: readonly PromptPiece[]): string[] {
  return pieces.flatMap(({ text, origin }) => (origin === 'ours' ? [text] : []));
}

export class LlamaModel implements LocalModel {
  readonly grammar = true;
  readonly name: string;
  readonly contextLength: number;
  readonly template?: string;
  readonly #special: SpecialTokens;
  readonly #slots: Slots;
  /** Special tokens behind which white space is dropped, as far as they are known. */
  readonly #stripping = new Map<Token, boolean>();

  constructor(
    readonly engine: Engine,
    readonly file: GgufFile,
    readonly model: LlamaModelHandle,
    readonly context: LlamaContextHandle,
    readonly parallel: number,
  ) {
    const { info, name } = file;
    this.name = name;
    this.contextLength = context.contextSize;
    if (info.template !== undefined) this.template = info.template;
    this.#special = new SpecialTokens(info.specialTokens.map((token) => asFound(model, token)));
    const sequences = Array.from({ length: parallel }, () => context.getSequence());
    this.#slots = new Slots(sequences, (pieces, whole) => this.tokenise(pieces, whole));
  }

  /** Gives the tokens of a prompt, or of the last pieces of `whole`: special ones only from text of ours. */
  tokenise(pieces: readonly PromptPiece[], whole?: readonly PromptPiece[]): Token[] {
    const goesOn = whole !== undefined;
    const { template = '' } = this.file.info;
    const runs = tokenRuns(pieces, this.#special, { markup: [template, ...oursOf(whole ?? [])], goesOn });
    const tokens: Token[] = [];
    let isStripped = false;
    for (const run of runs) {
      if (run.type === 'token') {
        tokens.push(run.id);
        isStripped = this.#stripsBehind(run.id, run.text);
        continue;
      }
      const text = isStripped ? run.text.trimStart() : run.text;
      if (text !== '')
        tokens.push(...this.model.tokenize(text, false, run.goesOn ? 'trimLeadingSpace' : undefined));
      isStripped = false;
    }
    const { bos, shouldPrependBosToken } = this.model.tokens;
    if (!goesOn && shouldPrependBosToken && bos !== null && tokens[0] !== bos) tokens.unshift(bos);
    return tokens;
  }

  #stripsBehind(id: Token, text: string): boolean {
    let strips = this.#stripping.get(id);
    if (strips === undefined) {
      strips = this.model.tokenize(`${text}\n`, true).length === this.model.tokenize(text, true).length;
      this.#stripping.set(id, strips);
    }
    return strips;
  }

  async *generate(request: LocalRequest): AsyncGenerator<LocalEvent> {
    const taken = this.#slots.take(request.prompt);
    if (!taken) throw new ApiError('overloaded', 'Every sequence of the model is busy.');
    const { slot, tokens } = taken;
    try {
      this.#checkLength(tokens);
      yield* this.#answer(slot, tokens, request);
    } finally {
      slot.isBusy = false;
    }
  }

  #checkLength({ length }: readonly Token[]): void {
    if (length < this.contextLength) return;
    const message = `The conversation has ${length} tokens; the context of ${this.name} holds ${this.contextLength}, the answer included.`;
    throw new ApiError('context-too-long', message);
  }

  async *#answer(slot: Slot, tokens: readonly Token[], request: LocalRequest): AsyncGenerator<LocalEvent> {
    const { prompt, signal, grammar } = request;
    const { sequence } = slot;
    delete slot.last;
    const hold = grammar && (await Hold.create(this.engine, this.model, grammar, request.stop));
    const cachedTokens = await this.#evaluatePrompt(slot, tokens, signal);
    const text = new TokenText(this.model, tokens);
    const stops = new StopText(request.stop);
    const written = { text: '', tokens: [] as Token[], isOver: false };
    const most = Math.min(request.maxTokens ?? Number.POSITIVE_INFINITY, this.contextLength - tokens.length);
    const options = this.#evaluateOptions(request.sampling, written.tokens, hold);
    const iterator = sequence.evaluate(tokens.slice(sequence.nextTokenIndex), options);
    const isHeld = () => hold?.state !== undefined;
    const usage = () => ({
      inputTokens: tokens.length,
      cachedTokens,
      outputTokens: written.tokens.length,
    });
    let reason: 'stop' | 'length' = 'stop';
    let replaced: Token[] | undefined;
    try {
      while (true) {
        const step = await iterator.next(replaced);
        signal.throwIfAborted();
        if (step.done || this.model.isEogToken(step.value)) break;
        const sampled = text.push(step.value);
        const allowed = hold?.read(sampled);
        replaced = allowed === undefined ? undefined : tokensOf(this.model, allowed);
        written.tokens.push(...(replaced ?? [step.value]));
        const piece = stops.push(allowed ?? sampled);
        written.text += piece.text;
        if (piece.text !== '') yield { type: 'text', text: piece.text, usage: usage(), held: isHeld() };
        written.isOver = piece.isOver;
        if (piece.isOver) break;
        if (written.tokens.length >= most) {
          reason = 'length';
          break;
        }
      }
    } finally {
      await iterator.return();
    }
    const last = written.isOver ? undefined : stops.push(text.end());
    const rest = last ? last.text + (last.isOver ? '' : stops.end()) : '';
    written.text += rest;
    if (rest !== '') yield { type: 'text', text: rest };
    slot.last = this.#exchange(prompt, tokens, written);
    yield { type: 'end', reason, usage: usage(), held: isHeld() };
  }

  /** Evaluates all of the prompt but its last tokens. Gives the number of those that were evaluated before. */
  async #evaluatePrompt({ sequence }: Slot, tokens: readonly Token[], signal: AbortSignal): Promise<number> {
    // The last token is always evaluated: the next one is sampled from it.
    const common = Math.min(commonLength(sequence.contextTokens, tokens), tokens.length - 1);
    await sequence.adaptStateToTokens(tokens.slice(0, common), false);
    const cached = sequence.nextTokenIndex;
    while (tokens.length - sequence.nextTokenIndex > PORTION) {
      signal.throwIfAborted();
      const from = sequence.nextTokenIndex;
      await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(from, from + PORTION));
    }
    signal.throwIfAborted();
    return cached;
  }

  #evaluateOptions(given: Sampling, written: Token[], hold: Hold | undefined): EvaluateOptions {
    const sampling = { ...DEFAULT_SAMPLING, ...this.file.info.sampling, ...given };
    const { presencePenalty = 0, frequencyPenalty = 0, repetitionPenalty = 1 } = given;
    const punishes = presencePenalty !== 0 || frequencyPenalty !== 0 || repetitionPenalty !== 1;
    return {
      temperature: sampling.temperature,
      topP: sampling.topP,
      topK: Math.max(0, sampling.topK),
      minP: sampling.minP,
      seed: (given.seed ?? Math.floor(Math.random() * 2 ** 32)) >>> 0,
      yieldEogToken: true,
      ...(hold && { grammarEvaluationState: () => hold.state }),
      ...(punishes && {
        repeatPenalty: {
          punishTokens: () => written,
          maxPunishTokens: this.contextLength,
          penalty: repetitionPenalty,
          frequencyPenalty,
          presencePenalty,
        },
      }),
    };
  }

  /** Notes what was evaluated. An answer that was cut within a token is left out: its next turn begins otherwise. */
  #exchange(
    prompt: readonly PromptPiece[],
    promptTokens: readonly Token[],
    written: { text: string; tokens: Token[]; isOver: boolean },
  ): Exchange {
    const { text, tokens, isOver } = written;
    const kept = isOver ? this.#tokensUpTo(text, tokens) : tokens;
    return {
      prompt,
      promptTokens,
      answer: kept ? text : '',
      answerTokens: kept ?? [],
      hasSpecial: (kept ?? []).some((token) => this.model.isSpecialToken(token)),
    };
  }

  /** Gives the tokens of an answer without those of the text that stopped it; undefined if one has both. */
  #tokensUpTo(text: string, tokens: readonly Token[]): Token[] | undefined {
    for (let end = tokens.length - 1; end >= 0; end--) {
      const kept = tokens.slice(0, end);
      const { length } = this.model.detokenize(kept, true);
      if (length <= text.length) return length === text.length ? kept : undefined;
    }
    return undefined;
  }

  async close(): Promise<void> {
    await this.context.dispose();
    await this.model.dispose();
  }
}
