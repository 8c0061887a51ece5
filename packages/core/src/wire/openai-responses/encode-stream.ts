// An answer as a stream of events:
//
//   created · in_progress · (item added · deltas · done · item done)* · completed | incomplete | failed
//
// Items do not overlap. A native upstream may write two calls at once: what belongs to the later one waits until
// the earlier one has ended. The last event holds the whole answer with usage and report, so it waits for `end`.

import { type AnswerEvent, ApiError, type Extra, type FinishReason } from '../../model/index.js';
import { Coalescer } from '../coalesce.js';
import type { EncodeContext, StreamEncoder } from '../wire.js';
import { errorMembers, failureOf } from './errors.js';
import { callShape, type ItemShape, isSealed, messageShape, reasoningShape } from './output-items.js';
import {
  echoOf,
  endingOf,
  type ResponseHead,
  type ResponseState,
  responseObject,
} from './response-object.js';
import { Frames, StreamItem } from './stream-item.js';

/** A stretch of the answer that becomes one item. */
interface Stretch {
  type: 'text' | 'reasoning' | 'call';
  shape: () => ItemShape;
  /** Text that was not sent yet. */
  pending: string;
  ended: boolean;
  kept: Extra;
  item?: StreamItem;
}

export function createStreamEncoder(context: EncodeContext): StreamEncoder {
  return new ResponseEncoder(context);
}

class ResponseEncoder implements StreamEncoder {
  readonly #frames = new Frames();
  readonly #echo: Extra;
  #head: ResponseHead | undefined;
  /** The first one is being sent, the others wait. */
  #stretches: Stretch[] = [];
  readonly #calls = new Map<string, Stretch>();
  readonly #output: Extra[] = [];
  #finish: FinishReason | undefined;
  readonly #last: Pick<ResponseState, 'usage' | 'report'> = {};
  #over = false;

  constructor(private readonly context: EncodeContext) {
    this.#echo = echoOf(context.request);
  }

  encode(event: AnswerEvent): string {
    if (this.#over || ('choice' in event && (event.choice ?? 0) !== 0)) return '';
    if (event.type === 'answer-start') return this.#start(event);
    if (event.type === 'error') return this.#start() + this.#fail(event.error);
    if (event.type === 'usage') this.#last.usage = event.usage;
    else if (event.type === 'report' && this.context.report) this.#last.report = event.report;
    if (event.type === 'usage' || event.type === 'report' || this.#finish !== undefined) return '';
    return this.#start() + this.#take(event);
  }

  /** The last event. An answer that never finished has failed. */
  end(): string {
    if (this.#over) return '';
    const start = this.#start();
    const finish = this.#finish;
    if (finish === undefined) {
      return (
        start + this.#fail(new ApiError('upstream-broken', 'The answer broke off before it was finished.'))
      );
    }
    this.#over = true;
    const ending = endingOf(finish);
    return start + this.#response(`response.${ending.status}`, { ...ending, ...this.#last });
  }

  #start(event: { id?: string; model?: string; created?: number } = {}): string {
    if (this.#head !== undefined) return '';
    this.#head = {
      id: event.id ?? this.context.newId('resp_'),
      model: event.model ?? this.context.request.model,
      created: event.created ?? 0,
    };
    const state = { status: 'in_progress' } as const;
    return this.#response('response.created', state) + this.#response('response.in_progress', state);
  }

  #response(type: string, state: Omit<ResponseState, 'output'>): string {
    const head = this.#head as ResponseHead;
    const response = responseObject(head, this.#echo, { ...state, output: this.#output });
    return this.#frames.event(type, { response });
  }

  #take(event: AnswerEvent): string {
    switch (event.type) {
      case 'text-delta':
        if (event.text === '') return '';
        this.#text('text', event.text, () => messageShape(this.context));
        break;
      case 'reasoning-delta':
        this.#reasoning(event.text, event.extra ?? {});
        break;
      case 'call-start':
        this.#calls.set(
          event.id,
          this.#add('call', () => callShape(this.context, event)),
        );
        break;
      case 'call-delta':
        this.#call(event.id, (call) => {
          call.pending += event.text;
        });
        break;
      case 'call-end':
        this.#call(event.id, (call) => {
          call.ended = true;
        });
        break;
      case 'finish':
        return this.#close(event.reason);
    }
    return this.#drain();
  }

  #add(type: Stretch['type'], shape: () => ItemShape, kept: Extra = {}): Stretch {
    const stretch: Stretch = { type, shape, pending: '', ended: false, kept };
    this.#stretches.push(stretch);
    return stretch;
  }

  /** Into the stretch that is being written, if it is of this type. */
  #text(type: 'text' | 'reasoning', text: string, shape: () => ItemShape, kept: Extra = {}): void {
    const last = this.#stretches.at(-1);
    const stretch = last?.type === type && !last.ended ? last : this.#add(type, shape, kept);
    Object.assign(stretch.kept, kept);
    stretch.pending += text;
    stretch.ended = isSealed(kept);
  }

  #reasoning(text: string, kept: Extra): void {
    if (text === '' && !isSealed(kept)) return;
    const own = { ...kept };
    this.#text('reasoning', text, () => reasoningShape(this.context, own), own);
  }

  #call(id: string, change: (call: Stretch) => void): void {
    const call = this.#calls.get(id);
    if (call !== undefined && !call.ended) change(call);
  }

  /** Sends what can be sent: all of the first stretch and, if it is over, of those behind it. */
  #drain(): string {
    let out = '';
    for (let first = this.#stretches[0]; first !== undefined; first = this.#stretches[0]) {
      out += this.#send(first);
      const over = first.ended || (first.type !== 'call' && this.#stretches.length > 1);
      if (!over) break;
      this.#stretches.shift();
      out += this.#done(first, 'completed');
    }
    return out;
  }

  #send(stretch: Stretch): string {
    let out = '';
    if (stretch.item === undefined) {
      const coalescer = stretch.type === 'call' ? new Coalescer() : undefined;
      stretch.item = new StreamItem(this.#frames, stretch.shape(), this.#output.length, coalescer);
      out = stretch.item.open();
    }
    const text = stretch.pending;
    stretch.pending = '';
    return text === '' ? out : out + stretch.item.delta(text);
  }

  #done(stretch: Stretch, status: 'completed' | 'incomplete'): string {
    const item = stretch.item as StreamItem;
    const out = item.close(status);
    this.#output.push(item.item(status));
    return out;
  }

  /** Everything that is still open ends here: texts are done, calls were cut off. */
  #close(reason: FinishReason): string {
    let out = '';
    const last = endingOf(reason).status === 'incomplete' ? 'incomplete' : 'completed';
    this.#finish = reason;
    for (const [at, stretch] of this.#stretches.entries()) {
      out += this.#send(stretch);
      if (stretch.type === 'call' && !stretch.ended) {
        out += this.#cut(stretch);
        this.#finish = 'length';
      } else out += this.#done(stretch, at === this.#stretches.length - 1 ? last : 'completed');
    }
    this.#stretches = [];
    return out;
  }

  /** No `done` for a call that was cut off: clients run what is done, whatever its status says. */
  #cut(stretch: Stretch): string {
    const item = stretch.item as StreamItem;
    const out = item.flush();
    this.#output.push(item.item('incomplete'));
    return out;
  }

  /** Some clients act on `error` alone, others wait for `response.failed`: both are sent. */
  #fail(error: ApiError): string {
    const open = this.#stretches[0];
    const held = open === undefined ? '' : this.#send(open) + this.#cut(open);
    this.#over = true;
    return (
      held +
      this.#frames.event('error', errorMembers(error)) +
      this.#response('response.failed', { status: 'failed', error: failureOf(error), ...this.#last })
    );
  }
}
