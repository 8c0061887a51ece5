// Reads an answer of the Messages API strictly.

import {
  type AnswerAudit,
  argumentsOf,
  bodyOf,
  errorIn,
  type Frame,
  framesOf,
  OrderFaults,
  roleFault,
} from '../audit.js';
import { listOf, memberOf, numberOf, stringOf } from '../values.js';

const CALLS = 'tool_use';
const TEXT = 'end_turn';

export function auditAnswer(text: string, streamed: boolean): AnswerAudit {
  return streamed ? auditStream(framesOf(text)) : auditBody(bodyOf(text));
}

function auditBody(body: unknown): AnswerAudit {
  const sent = listOf(body, 'content').filter((block) => stringOf(block, 'type') === 'tool_use');
  const ids = sent.map((call) => stringOf(call, 'id') ?? '');
  const calls = sent.map((call) => ({
    name: stringOf(call, 'name') ?? '',
    arguments: argumentsOf(memberOf(call, 'input')),
  }));
  const odd = sent.some((call) => typeof memberOf(call, 'input') !== 'object');
  return {
    ...audit(ids, stringOf(body, 'stop_reason')),
    order: [],
    ...errorIn(body),
    calls,
    ...(memberOf(body, 'content') !== undefined && messageFault(body)),
    ...(odd && { oddArguments: 'The input of a call is no object.' }),
  };
}

function messageFault(message: unknown): { message?: string } {
  const isText = typeof memberOf(message, 'content') === 'string';
  return isText
    ? { message: 'The content is a text: answers have a list of blocks there.' }
    : roleFault(stringOf(message, 'role'));
}

function audit(callIds: string[], finish: string | undefined): Omit<AnswerAudit, 'order'> {
  const wanted = callIds.length > 0 ? CALLS : TEXT;
  return { callIds, ...(finish !== undefined && { finish }), wanted, triggered: finish === CALLS };
}

function auditStream(frames: readonly Frame[]): AnswerAudit {
  const stream = new MessageStream();
  for (const frame of frames) stream.read(frame);
  stream.end();
  return {
    ...audit(stream.callIds, stream.finish),
    ...stream.faults.found(),
    ...stream.message,
    ...errorIn(frames[0]?.value),
  };
}

/** The deltas that fit a block, by its type. Those of other blocks are not judged. */
const deltaTypes: Readonly<Record<string, readonly string[]>> = {
  text: ['text_delta', 'citations_delta'],
  tool_use: ['input_json_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
};

/** message_start, blocks that start, grow and stop one after the other, message_delta, message_stop. */
class MessageStream {
  readonly faults = new OrderFaults();
  readonly callIds: string[] = [];
  message: { message?: string } = {};
  finish: string | undefined;
  #started = false;
  #stopped = false;
  #hasDelta = false;
  #open: { index: number | undefined; type: string } | undefined;
  #blocks = 0;

  read({ event, data, value }: Frame): void {
    const { faults } = this;
    // Servers of the chat API as well end this stream like their own. Clients have stopped reading.
    if (this.#stopped && data.startsWith('[DONE]')) return;
    const type = stringOf(value, 'type') ?? event ?? '';
    if (type === 'ping' || type === 'error') return;
    faults.damagedUnless(value !== undefined, 'An event is no JSON.');
    faults.unless(event === type, `The event line of ${type} does not name its type: clients skip it.`);
    faults.unless(this.#started || type === 'message_start', `${type} comes before message_start.`);
    faults.unless(!this.#stopped, `${type} comes after message_stop.`);
    if (type === 'message_start') this.#begin(value);
    else if (type === 'content_block_start') this.#start(value);
    else if (type === 'content_block_delta') this.#grow(value);
    else if (type === 'content_block_stop') {
      faults.damagedUnless(this.#isOpen(value), 'A block stops that is not open.');
      this.#open = undefined;
    } else if (type === 'message_delta') {
      faults.damagedUnless(this.#open === undefined, 'message_delta comes before a block has stopped.');
      this.#hasDelta = true;
      this.finish = stringOf(value, 'delta', 'stop_reason') ?? this.finish;
    } else if (type === 'message_stop') this.#stopped = true;
  }

  /** Clients begin again with a second one, and lose what came before it. */
  #begin(value: unknown): void {
    this.faults.damagedUnless(!this.#started, 'message_start comes twice.');
    this.#started = true;
    this.message = messageFault(memberOf(value, 'message'));
  }

  #start(value: unknown): void {
    const { faults } = this;
    faults.damagedUnless(this.#open === undefined, 'A block starts before the one before it has stopped.');
    faults.unless(!this.#hasDelta, 'A block starts after message_delta.');
    const index = numberOf(value, 'index');
    faults.damagedUnless(index === this.#blocks, 'The indexes of the blocks have a gap.');
    this.#blocks++;
    const block = memberOf(value, 'content_block');
    const type = stringOf(block, 'type') ?? '';
    this.#open = { index, type };
    if (type === 'tool_use') this.callIds.push(stringOf(block, 'id') ?? '');
  }

  #grow(value: unknown): void {
    this.faults.damagedUnless(this.#isOpen(value), 'A delta belongs to no open block.');
    const type = stringOf(value, 'delta', 'type');
    const fitting = deltaTypes[this.#open?.type ?? ''];
    if (type === undefined || fitting === undefined) return;
    this.faults.damagedUnless(
      fitting.includes(type),
      `A ${type} comes in a block of the type ${this.#open?.type}: clients do not read it.`,
    );
  }

  #isOpen(value: unknown): boolean {
    return this.#open !== undefined && this.#open.index === numberOf(value, 'index');
  }

  end(): void {
    this.faults.unless(this.#stopped, 'The stream ends without message_stop.');
    // Where both are missing, the stream broke off.
    const lacksReason = this.#stopped && !this.#hasDelta;
    this.faults.damagedUnless(!lacksReason, 'The stream ends without message_delta.');
  }
}
