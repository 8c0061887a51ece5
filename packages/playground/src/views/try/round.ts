// One request and its answer: the parsed answer from the response's stream, the raw text from the inspector's.

import type { ExchangeRecord } from '@dragoman/gateway';
import type { GatewayClient } from '../../gateway/gateway.js';
import { attemptSegments } from '../../gateway/to-read-state.js';
import { type Trouble, toTrouble } from '../../gateway/trouble.js';
import { emptyAnswer, type StreamedAnswer, withChunk } from './answer.js';
import { type ChatMessage, type ChatRequest, toBody, toMessage } from './messages.js';
import { type RawText, RawTexts } from './raw-text.js';

export interface Round {
  id: string;
  model: string;
  /** The tools of the request as JSON text. */
  tools: string;
  /** The new messages of this request: the question, or results. */
  messages: ChatMessage[];
  state: 'asking' | 'done' | 'stopped' | 'failed';
  trouble?: Trouble;
  answer: StreamedAnswer;
  raw: RawText[];
  /** Why there is no raw text. */
  rawTrouble?: Trouble;
  /** The same request to other models. They are not part of the conversation. */
  beside?: Round[];
}

export interface RoundOptions {
  id: string;
  asked: ChatRequest;
  messages: ChatMessage[];
  signal: AbortSignal;
  /** Called at every change. */
  onChange: () => void;
  /** Milliseconds to wait for the inspector, before the answer and after it. Default 2,000. */
  patience?: number;
}

/** A round in progress. `round` is its current state. */
export class RunningRound {
  readonly #raw = new RawTexts();
  #end: () => void = () => undefined;
  readonly #ended = new Promise<void>((resolve) => {
    this.#end = resolve;
  });
  #kept: RawText[] | undefined;
  #answer = emptyAnswer();
  #state: Round['state'] = 'asking';
  #trouble: Trouble | undefined;
  #rawTrouble: Trouble | undefined;

  constructor(
    readonly gateway: Pick<GatewayClient, 'chat' | 'live' | 'exchange'>,
    readonly options: RoundOptions,
  ) {}

  get round(): Round {
    const { id, asked, messages } = this.options;
    return {
      id,
      model: asked.model,
      tools: asked.tools,
      messages,
      state: this.#state,
      ...(this.#trouble && { trouble: this.#trouble }),
      answer: this.#answer,
      raw: this.#kept ?? this.#raw.texts(),
      ...(this.#rawTrouble && { rawTrouble: this.#rawTrouble }),
    };
  }

  /** Resolves when the round has ended. Never throws: errors are in the round. */
  async run(): Promise<void> {
    const watching = new AbortController();
    const stop = () => watching.abort();
    this.options.signal.addEventListener('abort', stop);
    await this.#patiently(this.#watch(watching.signal));
    await this.#ask();
    this.options.onChange();
    if (this.#state === 'done' && !this.#rawTrouble) await this.#patiently(this.#ended);
    await this.#complete();
    stop();
    this.options.signal.removeEventListener('abort', stop);
    this.options.onChange();
  }

  async #ask(): Promise<void> {
    const { id, asked, signal, onChange } = this.options;
    try {
      for await (const chunk of this.gateway.chat(toBody(asked), { id, signal })) {
        this.#answer = withChunk(this.#answer, chunk);
        onChange();
      }
      this.#state = 'done';
    } catch (error) {
      this.#trouble = signal.aborted ? undefined : toTrouble(error);
      this.#state = this.#trouble ? 'failed' : 'stopped';
    }
  }

  /** Resolves when the inspector's stream is open, or could not be opened. */
  async #watch(signal: AbortSignal): Promise<void> {
    try {
      void this.#read(await this.gateway.live({ id: this.options.id, signal }));
    } catch (error) {
      this.#rawTrouble = toTrouble(error);
    }
  }

  async #read(events: Awaited<ReturnType<GatewayClient['live']>>): Promise<void> {
    try {
      for await (const event of events) {
        this.#raw.add(event);
        this.options.onChange();
        if (event.type === 'exchange-end') break;
      }
    } catch {
      // The stream broke off: what arrived until then is shown.
    }
    this.#end();
  }

  /** Fetches the text from the inspector if its stream dropped events. */
  async #complete(): Promise<void> {
    const lost = this.#raw.texts().some(({ incomplete }) => incomplete);
    if (!lost || this.#rawTrouble) return;
    const record = await this.gateway.exchange(this.options.id).catch(() => undefined);
    this.#kept = record && rawTextsOf(record);
  }

  async #patiently(wait: Promise<void>): Promise<void> {
    const { patience = 2000 } = this.options;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patience);
    });
    await Promise.race([wait, limit]);
    clearTimeout(timer);
  }
}

/** The raw texts of a recorded exchange. */
export function rawTextsOf({ attempts }: ExchangeRecord): RawText[] {
  return attempts.map(({ choice, attempt, text, textCut, events }) => ({
    choice,
    attempt,
    text,
    segments: attemptSegments(events),
    incomplete: textCut !== undefined,
  }));
}

/** Gives the messages of these rounds. One that failed or was stopped is not part of the conversation. */
export function messagesIn(rounds: readonly Round[]): ChatMessage[] {
  return rounds.flatMap(({ state, messages, answer }) =>
    state === 'done' ? [...messages, toMessage(answer)] : [],
  );
}
