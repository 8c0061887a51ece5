// Writes an answer as a stream of events. The model's events are deltas; this API has blocks that open and close, one
// at a time. A block ends where the kind of delta changes.

import { type AnswerEvent, ApiError, type FinishReason, type Report, type Usage } from '../../model/index.js';
import { CallOrder, type ContentEvent } from '../call-order.js';
import { Coalescer } from '../coalesce.js';
import { FRAME_END, frame, frameStart } from '../sse.js';
import { wholeCharacters } from '../whole-characters.js';
import type { EncodeContext, StreamEncoder } from '../wire.js';
import { keptBlock } from './blocks.js';
import { encodeStop, encodeUsage, signatureOf } from './encode-response.js';
import { errorBody } from './errors.js';

export function createStreamEncoder(context: EncodeContext): StreamEncoder {
  return wholeCharacters(new MessageStream(context));
}

type ReasoningDelta = Extract<AnswerEvent, { type: 'reasoning-delta' }>;

/** The open block. */
type Open = { kind: 'text' } | { kind: 'thinking' } | { kind: 'call'; id: string };

class MessageStream implements StreamEncoder {
  readonly #blocks = new BlockWriter();
  readonly #order = new CallOrder();
  readonly #fragments = new Coalescer();
  #open: Open | undefined;
  #started = false;
  #over = false;
  #finish: { reason: FinishReason; stopSequence?: string } | undefined;
  /** Whether a call was cut off. */
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
        return this.#start() + this.#tell(event);
    }
  }

  /** Gives the last two events. They wait for usage and report, which come after the finish. */
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

  #tell(event: ContentEvent): string {
    let out = '';
    for (const next of this.#order.take(event)) out += this.#content(next);
    return out;
  }

  #content(event: ContentEvent): string {
    switch (event.type) {
      case 'text-delta':
        return event.text === ''
          ? ''
          : this.#opened('text', { type: 'text', text: '' }) + this.#blocks.delta(event.text);
      case 'reasoning-delta':
        return this.#reasoning(event);
      case 'call-start':
        return this.#callStart(event.id, event.name);
      case 'call-delta':
        return this.#isOpen(event.id) ? this.#fragment(this.#fragments.add(event.text)) : '';
      case 'call-end':
        return this.#isOpen(event.id) ? this.#closeCall() : '';
      case 'finish':
        this.#finish ??= event;
        return this.#close();
    }
  }

  #reasoning(event: ReasoningDelta): string {
    const { text, extra } = event;
    const kept = keptBlock(event);
    if (kept !== undefined) return this.#close() + this.#blocks.open(kept) + this.#blocks.close();
    const signature = signatureOf(extra);
    if (text === '' && signature === undefined) return '';
    const opened = this.#opened('thinking', { type: 'thinking', thinking: '', signature: '' });
    const delta = text === '' ? '' : this.#blocks.delta(text);
    // A signature covers the reasoning up to here: further reasoning is another block.
    return opened + delta + (signature === undefined ? '' : this.#close(signature));
  }

  #callStart(id: string, name: string): string {
    const closed = this.#close();
    this.#open = { kind: 'call', id };
    return closed + this.#blocks.open({ type: 'tool_use', id, name, input: {} }, 'call');
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

  #fragment(text: string): string {
    return text === '' ? '' : this.#blocks.delta(text);
  }

  #closeCall(): string {
    this.#open = undefined;
    return this.#fragment(this.#fragments.flush()) + this.#blocks.close();
  }

  /** Closes the open block. A call that is closed by anything but its own end was cut off. */
  #close(signature = ''): string {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return '';
    this.#cut ||= open.kind === 'call';
    if (open.kind === 'call') return this.#closeCall();
    return (open.kind === 'thinking' ? this.#blocks.signature(signature) : '') + this.#blocks.close();
  }
}

const deltaKinds = {
  text: ['text_delta', 'text'],
  thinking: ['thinking_delta', 'thinking'],
  signature: ['signature_delta', 'signature'],
  call: ['input_json_delta', 'partial_json'],
} as const;

/**
 * Writes the events of content blocks: one open at a time, numbered without gaps. The fixed part of a delta is built
 * when its block opens, so that a delta only costs the quoting of its text.
 */
class BlockWriter {
  #index = -1;
  #prefix = '';

  /** `kind` is the kind of the deltas that follow; absent for a block that is complete when it opens. */
  open(block: unknown, kind?: 'text' | 'thinking' | 'call'): string {
    this.#index++;
    if (kind !== undefined) this.#prefix = this.#prefixOf(kind);
    const data = `{"type":"content_block_start","index":${this.#index},"content_block":${JSON.stringify(block)}}`;
    return frame(data, 'content_block_start');
  }

  delta(text: string): string {
    return `${this.#prefix}${JSON.stringify(text)}}}${FRAME_END}`;
  }

  signature(signature: string): string {
    return `${this.#prefixOf('signature')}${JSON.stringify(signature)}}}${FRAME_END}`;
  }

  close(): string {
    return frame(`{"type":"content_block_stop","index":${this.#index}}`, 'content_block_stop');
  }

  #prefixOf(kind: keyof typeof deltaKinds): string {
    const [type, member] = deltaKinds[kind];
    return (
      `${frameStart('content_block_delta')}{"type":"content_block_delta","index":${this.#index},` +
      `"delta":{"type":"${type}","${member}":`
    );
  }
}
