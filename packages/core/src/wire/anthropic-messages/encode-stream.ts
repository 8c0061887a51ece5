// An answer as a stream of events. The model speaks in deltas; this API in blocks that open and close, one at a
// time. A block ends where the kind of delta changes. A call stays open until its end: what others say meanwhile
// (only native upstreams interleave) waits.

import { type AnswerEvent, ApiError, type FinishReason, type Report, type Usage } from '../../model/index.js';
import { Coalescer } from '../coalesce.js';
import { frame } from '../sse.js';
import type { EncodeContext, StreamEncoder } from '../wire.js';
import { BlockWriter } from './block-writer.js';
import { encodeStop, encodeUsage, signatureOf } from './encode-response.js';
import { errorBody } from './errors.js';
import { keptBlock } from './kept-block.js';

export function createStreamEncoder(context: EncodeContext): StreamEncoder {
  return new MessageStream(context);
}

type ReasoningDelta = Extract<AnswerEvent, { type: 'reasoning-delta' }>;
type CallDelta = Extract<AnswerEvent, { type: 'call-delta' }>;

/** What is open. */
type Open = { kind: 'text' } | { kind: 'thinking' } | { kind: 'call'; id: string };

class MessageStream implements StreamEncoder {
  readonly #blocks = new BlockWriter();
  readonly #fragments = new Coalescer();
  #open: Open | undefined;
  #held = new Held();
  #started = false;
  #over = false;
  #finish: { reason: FinishReason; stopSequence?: string } | undefined;
  #cut = false;
  #usage: Usage = { inputTokens: 0, outputTokens: 0 };
  #report: Report | undefined;

  constructor(private readonly context: EncodeContext) {}

  encode(event: AnswerEvent): string {
    if (this.#over || ('choice' in event && (event.choice ?? 0) > 0)) return '';
    switch (event.type) {
      case 'usage':
        this.#usage = event.usage;
        return '';
      case 'report':
        this.#report = event.report;
        return '';
      case 'error':
        return this.#fail(event.error);
      case 'answer-start':
        return this.#start(event.id, event.model);
      default:
        return this.#start() + this.#content(event);
    }
  }

  /** Usage and report come behind the finish, so the last two events wait for them. */
  end(): string {
    if (this.#over) return '';
    if (this.#finish === undefined) {
      return this.#fail(new ApiError('upstream-broken', 'The answer broke off before it was finished.'));
    }
    this.#over = true;
    const { reason, stopSequence } = this.#finish;
    const data = {
      type: 'message_delta',
      delta: encodeStop(this.#cut && reason !== 'content-filter' ? 'length' : reason, stopSequence),
      usage: encodeUsage(this.#usage),
      ...(this.context.report && this.#report && { dragoman: this.#report }),
    };
    return frame(JSON.stringify(data), 'message_delta') + frame('{"type":"message_stop"}', 'message_stop');
  }

  #start(id?: string, model?: string): string {
    if (this.#started) return '';
    this.#started = true;
    const message = {
      id: id ?? this.context.newId('msg_'),
      type: 'message',
      role: 'assistant',
      model: model ?? this.context.request.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: encodeUsage(this.#usage),
    };
    return frame(JSON.stringify({ type: 'message_start', message }), 'message_start');
  }

  #fail(error: ApiError): string {
    this.#over = true;
    return frame(JSON.stringify(errorBody(error)), 'error');
  }

  #content(event: AnswerEvent): string {
    if (event.type === 'finish') return this.#finishContent(event.reason, event.stopSequence);
    if (this.#open?.kind === 'call' && !('id' in event && this.#isOpen(event.id ?? ''))) {
      this.#held.add(event);
      return '';
    }
    switch (event.type) {
      case 'text-delta':
        return event.text === ''
          ? ''
          : this.#opened('text', { type: 'text', text: '' }) + this.#delta(event.text);
      case 'reasoning-delta':
        return this.#reasoning(event);
      case 'call-start':
        return this.#callStart(event.id, event.name);
      case 'call-delta':
        return this.#callDelta(event);
      case 'call-end':
        return this.#isOpen(event.id) ? this.#close() + this.#release() : '';
      default:
        return '';
    }
  }

  /** What is open at the finish was cut off; so was every call that waited without its end. */
  #finishContent(reason: FinishReason, stopSequence: string | undefined): string {
    this.#finish ??= { reason, ...(stopSequence !== undefined && { stopSequence }) };
    let out = '';
    do {
      this.#cut ||= this.#open?.kind === 'call';
      out += this.#close() + this.#release();
    } while (this.#open !== undefined);
    return out;
  }

  #reasoning(event: ReasoningDelta): string {
    const { text, extra } = event;
    const kept = keptBlock(event);
    if (kept !== undefined) return this.#close() + this.#blocks.open(kept) + this.#blocks.close();
    const signature = signatureOf(extra);
    if (text === '' && signature === undefined) return '';
    const opened = this.#opened('thinking', { type: 'thinking', thinking: '', signature: '' });
    const said = text === '' ? '' : this.#delta(text);
    // A signature covers the thought up to here: the next one is another block.
    return opened + said + (signature === undefined ? '' : this.#close(signature));
  }

  #callStart(id: string, name: string): string {
    const closed = this.#close();
    this.#open = { kind: 'call', id };
    return closed + this.#blocks.open({ type: 'tool_use', id, name, input: {} }, 'call');
  }

  #callDelta({ id, text }: CallDelta): string {
    if (!this.#isOpen(id)) return '';
    const fragment = this.#fragments.add(text);
    return fragment === '' ? '' : this.#delta(fragment);
  }

  #opened(kind: 'text' | 'thinking', block: unknown): string {
    if (this.#open?.kind === kind) return '';
    const closed = this.#close();
    this.#open = { kind };
    return closed + this.#blocks.open(block, kind);
  }

  #isOpen(id: string): boolean {
    return this.#open?.kind === 'call' && this.#open.id === id;
  }

  #delta(text: string): string {
    return this.#blocks.delta(text);
  }

  #close(signature = ''): string {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return '';
    const rest = open.kind === 'call' ? this.#fragments.flush() : '';
    const last = open.kind === 'thinking' ? this.#blocks.signature(signature) : rest && this.#delta(rest);
    return last + this.#blocks.close();
  }

  /** Says what waited, up to the next call that is still open; the rest waits on. */
  #release(): string {
    if (this.#held.isEmpty) return '';
    const held = this.#held;
    this.#held = new Held();
    let out = '';
    for (const event of held.events) out += this.#content(event);
    return out;
  }
}

/** Events that wait. Deltas that will be told in one go become one, so that many calls at once stay cheap. */
class Held {
  readonly events: AnswerEvent[] = [];
  readonly #deltas = new Map<string, CallDelta>();

  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  add(event: AnswerEvent): void {
    const before = event.type === 'call-delta' ? this.#deltas.get(event.id) : this.events.at(-1);
    if ((event.type === 'call-delta' || event.type === 'text-delta') && before?.type === event.type) {
      before.text += event.text;
      return;
    }
    const copy = { ...event };
    this.events.push(copy);
    if (copy.type === 'call-delta') this.#deltas.set(copy.id, copy);
  }
}
