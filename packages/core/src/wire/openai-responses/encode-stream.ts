// Writes an answer as a stream of events:
//
//   created · in_progress · (item added · deltas · done · item done)* · completed | incomplete | failed
//
// Items do not overlap. The last event holds the whole answer with usage and report, so it waits for `end`.

import { type AnswerEvent, ApiError, type Extra, type FinishReason } from '../../model/index.js';
import { isLongJson } from '../../model/json-pieces.js';
import { CallOrder, type ContentEvent } from '../call-order.js';
import { Coalescer } from '../coalesce.js';
import { InputText } from '../input-text.js';
import { wholeCharacters } from '../whole-characters.js';
import type { EncodeContext, StreamEncoder } from '../wire.js';
import { errorMembers, failureOf } from './errors.js';
import {
  callShape,
  type ItemShape,
  isSealed,
  messageShape,
  reasoningShape,
  refusalShape,
} from './output-items.js';
import type { ResponseHead, ResponseState } from './response-object.js';
import { echoOf, endingOf, responseObject } from './response-object.js';
import { Frames, StreamItem } from './stream-item.js';
import { WaitingTexts } from './waiting-texts.js';

/** Of a long request the second event, which says nothing new, does not repeat what can be long. */
const NOTHING_LONG = { tools: [], instructions: null, metadata: {}, text: { format: { type: 'text' } } };

/** The item whose events are being written. */
interface Open {
  type: 'text' | 'refusal' | 'reasoning' | 'call';
  /** The id of a call. */
  id?: string;
  item: StreamItem;
  /** Decodes the arguments of a freeform call. */
  input?: InputText;
  /** The members of a reasoning item that an upstream sent, until the item is written. */
  kept: Extra;
}

export function createStreamEncoder(context: EncodeContext): StreamEncoder {
  return wholeCharacters(new ResponseEncoder(context));
}

class ResponseEncoder implements StreamEncoder {
  readonly #frames = new Frames();
  readonly #echo: Extra;
  #head: ResponseHead | undefined;
  readonly #order = new CallOrder();
  #open: Open | undefined;
  readonly #output: Extra[] = [];
  #finish: FinishReason | undefined;
  /** Whether a call was cut off. */
  #cut = false;
  readonly #last: Pick<ResponseState, 'usage' | 'report'> = {};
  #over = false;
  /** Whether the events that repeat the request are long. */
  readonly #isLong: boolean;
  readonly #waiting = new WaitingTexts();

  constructor(private readonly context: EncodeContext) {
    this.#echo = echoOf(context.request);
    this.#isLong = isLongJson(this.#echo);
  }

  rest(): string {
    return this.#waiting.next();
  }

  encode(event: AnswerEvent): string {
    if (this.#over || ('choice' in event && (event.choice ?? 0) !== 0)) return '';
    if (event.type === 'answer-start') return this.#start(event);
    if (event.type === 'error') return this.#start() + this.#fail(event.error);
    if (event.type === 'usage') this.#last.usage = event.usage;
    else if (event.type === 'report' && this.context.report) this.#last.report = event.report;
    if (event.type === 'usage' || event.type === 'report' || this.#finish !== undefined) return '';
    const start = this.#start();
    return start + this.#waiting.behind(this.#tell(event));
  }

  last(): Extra | undefined {
    if (this.#over || this.#finish === undefined) return undefined;
    const state = { ...endingOf(this.#finish), ...this.#last, output: this.#output };
    return responseObject(this.#head as ResponseHead, this.#echo, state);
  }

  /** Gives the last event. An answer without a finish has failed. */
  end(response = this.last()): string {
    if (this.#over) return '';
    if (response === undefined) {
      const error = new ApiError('upstream-broken', 'The answer broke off before it was finished.');
      return this.#start() + this.#fail(error);
    }
    this.#over = true;
    return this.#response(`response.${response.status}`, response);
  }

  #start(event: { id?: string; model?: string; created?: number } = {}): string {
    if (this.#head !== undefined) return '';
    this.#head = {
      id: event.id ?? this.context.newId('resp_'),
      model: event.model ?? this.context.request.model,
      created: event.created ?? 0,
    };
    const created = this.#response('response.created', this.#shown({ status: 'in_progress' }));
    const short = this.#isLong ? NOTHING_LONG : {};
    const progress = { response: { ...this.#shown({ status: 'in_progress' }), ...short } };
    return created + this.#waiting.behind(this.#frames.event('response.in_progress', progress));
  }

  /** Gives the response so far. */
  #shown(state: Omit<ResponseState, 'output'>): Extra {
    // It may be written when more items have come.
    const output = [...this.#output];
    const response = responseObject(this.#head as ResponseHead, this.#echo, { ...state, output });
    return this.context.show?.(response) ?? response;
  }

  /** Writes an event that repeats the request. */
  #response(type: string, response: Extra): string {
    if (!this.#isLong || !this.context.inPieces) return this.#frames.event(type, { response });
    return this.#waiting.begin(this.#frames.eventInPieces(type, { response }));
  }

  #tell(event: ContentEvent): string {
    let out = '';
    for (const next of this.#order.take(event)) out += this.#content(next);
    return out;
  }

  #content(event: ContentEvent): string {
    switch (event.type) {
      case 'text-delta':
        return event.text === '' ? '' : this.#text(event.text, event.refusal ? 'refusal' : 'text');
      case 'reasoning-delta':
        return this.#reasoning(event.text, event.extra ?? {});
      case 'call-start':
        return this.#begin('call', callShape(this.context, event), {}, event.id);
      case 'call-delta':
        return this.#isOpen(event.id) ? this.#argument(event.text) : '';
      case 'call-end':
        return this.#isOpen(event.id) ? this.#callDone() : '';
      case 'finish':
        return this.#end(event.reason);
    }
  }

  #text(text: string, type: 'text' | 'refusal'): string {
    const shape = type === 'text' ? messageShape : refusalShape;
    const begun = this.#open?.type === type ? '' : this.#begin(type, shape(this.context));
    return begun + this.#delta(text);
  }

  /** Writes a delta of reasoning. Its members may come with any delta; the encrypted form ends the item. */
  #reasoning(text: string, kept: Extra): string {
    if (text === '' && !isSealed(kept)) return '';
    let begun = '';
    if (this.#open?.type === 'reasoning') Object.assign(this.#open.kept, kept);
    else {
      const own = { ...kept };
      begun = this.#begin('reasoning', reasoningShape(this.context, own), own);
    }
    const out = begun + this.#delta(text);
    return isSealed(kept) ? out + this.#done('completed') : out;
  }

  /** Begins another item, after the end of the one before. */
  #begin(type: Open['type'], shape: ItemShape, kept: Extra = {}, id?: string): string {
    const before = this.#close('completed');
    const coalescer = type === 'call' ? new Coalescer() : undefined;
    const item = new StreamItem(this.#frames, shape, this.#output.length, coalescer);
    const input = shape.freeform && { input: new InputText() };
    this.#open = { type, item, kept, ...input, ...(id !== undefined && { id }) };
    return before + item.open();
  }

  #isOpen(id: string): boolean {
    return this.#open?.type === 'call' && this.#open.id === id;
  }

  #argument(json: string): string {
    const input = this.#open?.input;
    return this.#delta(input === undefined ? json : input.feed(json));
  }

  #callDone(): string {
    const rest = this.#delta(this.#open?.input?.finish() ?? '');
    return rest + this.#done('completed');
  }

  #delta(text: string): string {
    return text === '' ? '' : (this.#open?.item.delta(text) ?? '');
  }

  #done(status: 'completed' | 'incomplete'): string {
    const item = this.#open?.item;
    this.#open = undefined;
    if (item === undefined) return '';
    const out = item.close(status);
    const whole = item.item(status);
    this.#output.push(whole);
    this.context.onItem?.(whole);
    return out;
  }

  /** Ends the open item: a text or a thought is done, a call was cut off. */
  #close(status: 'completed' | 'incomplete'): string {
    return this.#open?.type === 'call' ? this.#cutOff() : this.#done(status);
  }

  /** Ends a call that was cut off, without a `done`: clients run what is done, whatever its status. */
  #cutOff(): string {
    const item = this.#open?.item;
    this.#open = undefined;
    this.#cut = true;
    if (item === undefined) return '';
    const out = item.flush();
    this.#output.push(item.item('incomplete'));
    return out;
  }

  #end(reason: FinishReason): string {
    const out = this.#close(endingOf(reason).status === 'incomplete' ? 'incomplete' : 'completed');
    this.#finish = this.#cut ? 'length' : reason;
    return out;
  }

  /** Sends both `error` and `response.failed`: some clients act only on the one, some only on the other. */
  #fail(error: ApiError): string {
    const held = this.#open === undefined ? '' : this.#cutOff();
    this.#over = true;
    const told = this.#waiting.behind(held + this.#frames.event('error', errorMembers(error)));
    const failed = this.#shown({ status: 'failed', error: failureOf(error), ...this.#last });
    return told + this.#response('response.failed', failed);
  }
}
