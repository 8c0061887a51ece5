// Reads a message of this API as events, block by block. A stream and a whole answer take the same path.

import type { AnswerEvent, Extra, FinishReason, Usage } from '../../model/index.js';
import { isObject } from '../../model/json.js';
import { withNotes } from '../notes.js';
import { defined, memberOf, numberOf, parsedJson, stringOf, toOpaque } from '../values.js';

/** A block that has begun. */
interface Block {
  kind: 'text' | 'thinking' | 'call' | 'other';
  id: string;
  /** The block as it was when it began: some servers give the whole input there. */
  given: unknown;
  json: string;
  signature: string | undefined;
}

const reasons = new Map<string, FinishReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['pause_turn', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content-filter'],
]);

export class MessageReader {
  #started = false;
  readonly #blocks = new Map<number, Block>();
  /** The id of a call whose block has stopped, held until it is known that the token limit did not cut it off. */
  #complete: string | undefined;
  #calls = 0;
  #cut = false;
  #reason: string | undefined;
  #stopSequence: string | undefined;
  readonly #usage = new Map<string, number>();

  /** Whether the upstream gave a stop reason. */
  get hasReason(): boolean {
    return this.#reason !== undefined;
  }

  start(message: unknown): AnswerEvent[] {
    if (this.#started) return [];
    this.#started = true;
    this.#count(memberOf(message, 'usage'));
    const id = stringOf(message, 'id');
    const model = stringOf(message, 'model');
    return [{ type: 'answer-start', ...defined({ id, model }) }];
  }

  blockStart(index: number, given: unknown): AnswerEvent[] {
    const kind = kindOf(given);
    const id = stringOf(given, 'id') ?? `call_${index}`;
    this.#blocks.set(index, { kind, id, given, json: '', signature: stringOf(given, 'signature') });
    // Another block begins, so the call before it is complete.
    const before = [...this.start(undefined), ...this.#endCall()];
    if (kind === 'call') {
      before.push({ type: 'call-start', id, name: stringOf(given, 'name') ?? '' });
      return before;
    }
    return [...before, ...deltaOf(kind, given)];
  }

  blockDelta(index: number, delta: unknown): AnswerEvent[] {
    const block = this.#blocks.get(index);
    const signature = stringOf(delta, 'signature');
    if (block !== undefined && signature !== undefined) block.signature = signature;
    const json = stringOf(delta, 'partial_json') ?? '';
    if (block === undefined || json === '') return deltaOf(block?.kind ?? 'text', delta);
    block.json += json;
    return block.kind === 'call' ? [{ type: 'call-delta', id: block.id, text: json }] : [];
  }

  blockStop(index: number): AnswerEvent[] {
    const block = this.#blocks.get(index);
    this.#blocks.delete(index);
    if (block?.kind === 'call') return this.#stopCall(block);
    const extra = block === undefined ? undefined : keptOf(block);
    return extra === undefined ? [] : [{ type: 'reasoning-delta', text: '', extra }];
  }

  /** Reads the stop reason and the usage. */
  messageDelta(delta: unknown, usage: unknown): void {
    this.#reason = stringOf(delta, 'stop_reason') ?? this.#reason;
    this.#stopSequence = stringOf(delta, 'stop_sequence') ?? this.#stopSequence;
    this.#count(usage);
  }

  finish(): AnswerEvent[] {
    const reason = reasons.get(this.#reason ?? 'end_turn') ?? 'stop';
    if (reason === 'length') this.#complete = undefined;
    for (const block of this.#blocks.values()) this.#cut ||= block.kind === 'call';
    const events: AnswerEvent[] = [...this.start(undefined), ...this.#endCall()];
    const stopSequence = this.#stopSequence;
    const given = this.#cut && (reason === 'stop' || reason === 'tool-calls') ? reason : undefined;
    events.push({ type: 'finish', reason: this.#finishReason(reason), ...defined({ given, stopSequence }) });
    if (this.#usage.size > 0) events.push({ type: 'usage', usage: this.#toUsage() });
    return events;
  }

  /** Gives the finish reason. Some servers give `end_turn` after calls. A call with invalid arguments was cut off. */
  #finishReason(reason: FinishReason): FinishReason {
    if (this.#cut && reason !== 'content-filter') return 'length';
    return reason === 'stop' && this.#calls > 0 ? 'tool-calls' : reason;
  }

  #stopCall({ id, given, json }: Block): AnswerEvent[] {
    const input = memberOf(given, 'input') ?? {};
    const whole = typeof input === 'string' ? input : JSON.stringify(input);
    if (isObject(parsedJson(json === '' ? whole : json))) this.#complete = id;
    else this.#cut = true;
    return json === '' ? [{ type: 'call-delta', id, text: whole }] : [];
  }

  #endCall(): AnswerEvent[] {
    const id = this.#complete;
    if (id === undefined) return [];
    this.#complete = undefined;
    this.#calls++;
    return [{ type: 'call-end', id }];
  }

  /** Reads token counts. They come at the start and at the end, as totals; some servers give 0 in one of them. */
  #count(usage: unknown): void {
    for (const key of countKeys) {
      const count = numberOf(usage, ...key.split('.'));
      if (count !== undefined) this.#usage.set(key, Math.max(count, this.#usage.get(key) ?? 0));
    }
  }

  #toUsage(): Usage {
    const [input, output, cached, written, reasoning] = countKeys.map((key) => this.#usage.get(key));
    return {
      // `input_tokens` does not include the tokens read from a cache or written to it.
      inputTokens: (input ?? 0) + (cached ?? 0) + (written ?? 0),
      outputTokens: output ?? 0,
      ...defined({ cachedTokens: cached, reasoningTokens: reasoning }),
    };
  }
}

const countKeys = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'output_tokens_details.thinking_tokens',
];

function kindOf(given: unknown): Block['kind'] {
  const type = stringOf(given, 'type');
  if (type === 'tool_use') return 'call';
  return type === 'text' || type === 'thinking' ? type : 'other';
}

/**
 * Gives what must be sent back later: a signature, or a block that the model has no type for (redacted thinking, a
 * provider's tool).
 */
function keptOf({ kind, given, json, signature }: Block): Extra | undefined {
  if (kind === 'thinking') return signature ? { signature } : undefined;
  if (kind !== 'other' || !isObject(given)) return undefined;
  const block = toOpaque(given, '') as Extra;
  return withNotes(json === '' ? block : { ...block, input: parsedJson(json) }).extra;
}

function deltaOf(kind: Block['kind'], given: unknown): AnswerEvent[] {
  const text = kind === 'text' ? stringOf(given, 'text') : undefined;
  const thought = kind === 'thinking' ? stringOf(given, 'thinking') : undefined;
  if (text) return [{ type: 'text-delta', text }];
  return thought ? [{ type: 'reasoning-delta', text: thought }] : [];
}
