// What is used of node-llama-cpp 3. It is an optional peer dependency, so its own types may not be there.

export type Token = number;

export interface LlamaModule {
  getLlama(options: object): Promise<Llama>;
  LlamaGrammarEvaluationState: new (options: { model: LlamaModelHandle; grammar: object }) => GrammarState;
}

export interface Llama {
  readonly cpuMathCores: number;
  /** False where only the processor computes. */
  readonly gpu: string | false;
  loadModel(options: object): Promise<LlamaModelHandle>;
  createGrammar(options: { grammar: string }): Promise<object>;
  dispose(): Promise<void>;
  /** Inner parts: the only way to tell a grammar what was written before it began to hold. */
  readonly _bindings: {
    AddonSampler: {
      canBeNextTokenForGrammarEvaluationState(state: unknown, token: Token): boolean;
      acceptGrammarEvaluationStateToken(state: unknown, token: Token): void;
    };
  };
}

export interface LlamaModelHandle {
  readonly trainContextSize: number;
  readonly size: number;
  readonly tokens: {
    readonly bos: Token | null;
    readonly eos: Token | null;
    readonly shouldPrependBosToken: boolean;
  };
  tokenize(text: string, special: boolean, options?: 'trimLeadingSpace'): Token[];
  detokenize(tokens: readonly Token[], special: boolean, lastTokens?: readonly Token[]): string;
  isEogToken(token: Token): boolean;
  isSpecialToken(token: Token): boolean;
  createContext(options: object): Promise<LlamaContextHandle>;
  dispose(): Promise<void>;
}

export interface LlamaContextHandle {
  readonly contextSize: number;
  readonly stateSize?: number;
  getSequence(): LlamaSequence;
  dispose(): Promise<void>;
}

export interface LlamaSequence {
  readonly nextTokenIndex: number;
  readonly contextTokens: Token[];
  adaptStateToTokens(tokens: readonly Token[], allowShift: boolean): Promise<void>;
  evaluateWithoutGeneratingNewTokens(tokens: readonly Token[]): Promise<void>;
  evaluate(
    tokens: readonly Token[],
    options: EvaluateOptions,
  ): AsyncGenerator<Token, void, undefined | Token | readonly Token[]>;
}

export interface EvaluateOptions {
  temperature: number;
  topP: number;
  topK: number;
  minP: number;
  seed: number;
  yieldEogToken: boolean;
  grammarEvaluationState?: () => GrammarState | undefined;
  repeatPenalty?: {
    punishTokens: () => Token[];
    maxPunishTokens: number;
    penalty: number;
    frequencyPenalty: number;
    presencePenalty: number;
  };
}

export interface GrammarState {
  readonly _state: unknown;
}
