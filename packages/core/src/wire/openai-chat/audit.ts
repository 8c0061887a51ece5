// Reads an answer of the chat API strictly.

import {
  type AnswerAudit,
  argumentsOf,
  bodyOf,
  EMPTY_ARGUMENTS,
  errorIn,
  type Frame,
  framesOf,
  OrderFaults,
  roleFault,
  usageFault,
} from '../audit.js';
import { listOf, memberOf, numberOf, stringOf } from '../values.js';
import { encodeFinish } from './finish-reasons.js';

const CALLS = encodeFinish('tool-calls');
const TEXT = encodeFinish('stop');

export function auditAnswer(text: string, streamed: boolean): AnswerAudit {
  return streamed ? auditStream(framesOf(text)) : auditBody(bodyOf(text));
}

function auditBody(body: unknown): AnswerAudit {
  const [choice] = listOf(body, 'choices');
  const delta = memberOf(choice, 'message') === undefined ? memberOf(choice, 'delta') : undefined;
  const message = delta ?? memberOf(choice, 'message');
  const sent = listOf(message, 'tool_calls');
  const ids = sent.map((call) => stringOf(call, 'id') ?? '');
  const calls = sent.map((call) => ({
    name: stringOf(call, 'function', 'name') ?? '',
    arguments: argumentsOf(memberOf(call, 'function', 'arguments')),
  }));
  const [odd] = sent.flatMap(oddArguments);
  return {
    ...audit(ids, stringOf(choice, 'finish_reason')),
    order: [],
    ...errorIn(body),
    ...usageIn(body),
    calls,
    ...(message !== undefined && messageFault(message)),
    ...(delta !== undefined && { message: 'A delta stands in the place of the message.' }),
    ...callFault(message, sent),
    ...(odd !== undefined && { oddArguments: odd }),
  };
}

const usageIn = (value: unknown) =>
  usageFault(memberOf(value, 'usage'), 'prompt_tokens', 'completion_tokens');

const LIST = 'The content is a list of parts: answers have text there.';

function messageFault(message: unknown): { message?: string } {
  return listOf(message, 'content').length > 0 ? { message: LIST } : roleFault(stringOf(message, 'role'));
}

const LEGACY = 'The call stands in function_call, which clients no longer read.';
const NO_TYPE = 'A call has no type: clients expect "function".';

function callFault(message: unknown, sent: readonly unknown[]): { call?: string } {
  if (sent.length === 0) return memberOf(message, 'function_call') === undefined ? {} : { call: LEGACY };
  return sent.every((call) => stringOf(call, 'type') !== undefined) ? {} : { call: NO_TYPE };
}

const ODD = 'The arguments are a JSON value, and not a text that holds JSON.';

/** Clients parse the arguments: a value throws, and so does nothing. */
function oddArguments(call: unknown): string[] {
  const called = memberOf(call, 'function');
  const given = memberOf(called, 'arguments');
  if (called !== undefined && (given === undefined || given === '')) return [EMPTY_ARGUMENTS];
  return given === undefined || typeof given === 'string' ? [] : [ODD];
}

function audit(callIds: string[], finish: string | undefined): Omit<AnswerAudit, 'order'> {
  const wanted = callIds.length > 0 ? CALLS : TEXT;
  return { callIds, ...(finish !== undefined && { finish }), wanted, triggered: finish === CALLS };
}

function auditStream(frames: readonly Frame[]): AnswerAudit {
  const stream = new ChunkStream();
  for (const frame of frames) stream.read(frame);
  return { ...errorIn(frames[0]?.value), ...stream.end() };
}

interface StreamedCall {
  id: string;
  name: string;
  type: string | undefined;
  /** Characters of its arguments. */
  length: number;
  /** No piece has a `function`. */
  isBare: boolean;
}

class ChunkStream {
  readonly #faults = new OrderFaults();
  readonly #calls = new Map<number, StreamedCall>();
  #finish: string | undefined;
  #message: { message?: string } | undefined;
  #isLegacy = false;
  #isDone = false;
  #hasValue = false;
  #usage: { usage?: string } = {};

  read({ data, value }: Frame): void {
    this.#faults.unless(!this.#isDone, 'Something comes after [DONE].');
    if (data.startsWith('[DONE]')) {
      this.#isDone = true;
      return;
    }
    this.#faults.damagedUnless(value !== undefined, 'An event is no JSON.');
    for (const choice of listOf(value, 'choices')) this.#choice(choice);
    this.#usage = { ...this.#usage, ...usageIn(value) };
  }

  #choice(choice: unknown): void {
    const delta = memberOf(choice, 'delta');
    const pieces = listOf(delta, 'tool_calls');
    const says = pieces.length > 0 || (stringOf(delta, 'content') ?? '') !== '';
    this.#faults.damagedUnless(
      !(says && this.#finish !== undefined),
      'Content comes after the finish reason.',
    );
    this.#faults.damagedUnless(
      delta !== undefined || memberOf(choice, 'message') === undefined,
      'A message stands in the place of the delta: clients do not read it.',
    );
    if (delta !== undefined) this.#message ??= messageFault(delta);
    if (listOf(delta, 'content').length > 0) this.#message = { message: LIST };
    this.#isLegacy ||= memberOf(delta, 'function_call') !== undefined;
    for (const piece of pieces) this.#piece(piece);
    this.#finish = stringOf(choice, 'finish_reason') ?? this.#finish;
  }

  /** By the API every piece has the index of its call, and the first one has its id, type and name. */
  #piece(piece: unknown): void {
    const faults = this.#faults;
    const index = numberOf(piece, 'index');
    const called = memberOf(piece, 'function') ?? memberOf(piece, 'custom');
    const given = memberOf(called, 'arguments') ?? memberOf(called, 'input');
    const [id, name] = [stringOf(piece, 'id') ?? '', stringOf(called, 'name') ?? ''];
    const length = argumentsOf(given ?? '').length;
    const isBare = called === undefined;
    faults.unless(index !== undefined, 'A piece of a call has no index.');
    this.#hasValue ||= given !== undefined && typeof given !== 'string';
    const at = index ?? 0;
    const known = this.#calls.get(at);
    if (!known) {
      faults.unless(at === this.#calls.size, 'The indexes of the calls have a gap.');
      this.#calls.set(at, { id, name, type: stringOf(piece, 'type'), length, isBare });
      return;
    }
    known.length += length;
    known.isBare &&= isBare;
    if (known.name === '' && name !== '') {
      known.name = name;
      faults.add('The first piece of a call has no name.');
      return;
    }
    if (id !== '' && known.id !== '' && id !== known.id)
      faults.add(`Two calls have the index ${at}: clients join their arguments.`);
    else if (name !== '' && name === known.name)
      faults.damagedUnless(
        false,
        'The name of a call comes more than once: clients join the pieces of a name.',
      );
    if (known.id === '' && id !== '') {
      known.id = id;
      faults.add('The first piece of a call has no id.');
    }
  }

  end(): AnswerAudit {
    this.#faults.unless(this.#isDone, 'The stream ends without [DONE].');
    const calls = [...this.#calls.values()];
    this.#faults.damagedUnless(!calls.some(({ isBare }) => isBare), 'The pieces of a call have no function.');
    const isLegacy = this.#isLegacy && calls.length === 0;
    const isEmpty = calls.some(({ length }) => length === 0);
    return {
      ...audit(
        calls.map(({ id }) => id),
        this.#finish,
      ),
      ...this.#faults.found(),
      ...this.#usage,
      ...this.#message,
      ...(isLegacy && { call: LEGACY, calls: [] }),
      ...(calls.some(({ type }) => type === undefined) && { call: NO_TYPE }),
      ...(this.#hasValue ? { oddArguments: ODD } : isEmpty && { oddArguments: EMPTY_ARGUMENTS }),
    };
  }
}
