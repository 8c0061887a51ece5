// Reads an answer of the Responses API strictly.

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
import { StreamedItems, textTypeFault } from './audit-items.js';

/** Answers with and without calls end alike. */
const DONE = 'completed';
const ENDS = ['response.completed', 'response.incomplete', 'response.failed'];

export function auditAnswer(text: string, streamed: boolean): AnswerAudit {
  return streamed ? auditStream(framesOf(text)) : auditBody(bodyOf(text));
}

function auditBody(body: unknown): AnswerAudit {
  const calls = callsIn(body).map((call) => ({
    name: stringOf(call, 'name') ?? '',
    arguments: argumentsOf(memberOf(call, 'arguments')),
  }));
  return { ...audit(body), order: [], ...errorIn(body), calls };
}

/** Of a whole response, and of the one at the end of a stream. */
function faultsIn(response: unknown): Pick<AnswerAudit, 'message' | 'oddArguments'> {
  const [message] = listOf(response, 'output').filter((item) => stringOf(item, 'type') === 'message');
  const [odd] = callsIn(response).flatMap((call) => {
    const given = memberOf(call, 'arguments');
    if (given === undefined || given === '') return [EMPTY_ARGUMENTS];
    return typeof given === 'string'
      ? []
      : ['The arguments are a JSON value, and not a text that holds JSON.'];
  });
  return {
    ...(message !== undefined && (partFault(message) ?? roleFault(stringOf(message, 'role')))),
    ...(odd !== undefined && { oddArguments: odd }),
  };
}

function partFault(message: unknown): { message: string } | undefined {
  return listOf(message, 'content')
    .map(textTypeFault)
    .find((fault) => fault !== undefined);
}

function callsIn(response: unknown): unknown[] {
  return listOf(response, 'output').filter((item) => stringOf(item, 'type') === 'function_call');
}

function audit(response: unknown): Omit<AnswerAudit, 'order'> {
  const calls = callsIn(response);
  const callIds = calls.map((call) => stringOf(call, 'call_id') ?? '');
  const finish = stringOf(response, 'incomplete_details', 'reason') ?? stringOf(response, 'status');
  return {
    callIds,
    ...(calls.some((call) => stringOf(call, 'name') === undefined) && { nameless: true as const }),
    ...faultsIn(response),
    ...(finish !== undefined && { finish }),
    wanted: DONE,
    triggered: callIds.length > 0,
    ...usageFault(memberOf(response, 'usage'), 'input_tokens', 'output_tokens'),
  };
}

function auditStream(frames: readonly Frame[]): AnswerAudit {
  const stream = new ResponseStream();
  for (const frame of frames) stream.read(frame);
  stream.end();
  const { last, items, faults } = stream;
  return { ...items.message, ...audit(last), ...faults.found(), ...errorIn(frames[0]?.value) };
}

/** response.created, items that are added, grow and are done, response.completed; each with the next number. */
class ResponseStream {
  readonly faults = new OrderFaults();
  last: unknown;
  #started = false;
  #number = -1;
  readonly items = new StreamedItems(this.faults);

  read({ event, data, value }: Frame): void {
    const { faults } = this;
    if (data.startsWith('[DONE]')) return;
    const type = stringOf(value, 'type') ?? '';
    faults.damagedUnless(value !== undefined, 'An event is no JSON.');
    faults.unless(event === undefined || event === type, `The event line of ${type} names another type.`);
    faults.unless(this.last === undefined, `${type} comes after the end of the response.`);
    faults.unless(this.#started || type === 'response.created', `${type} comes before response.created.`);
    this.#started ||= type === 'response.created';
    this.#count(numberOf(value, 'sequence_number'));
    if (ENDS.includes(type)) this.last = memberOf(value, 'response') ?? {};
    else this.items.read(type, value);
  }

  #count(number: number | undefined): void {
    if (number === undefined) return;
    this.faults.unless(number > this.#number, 'The sequence numbers do not rise.');
    this.#number = number;
  }

  end(): void {
    this.faults.unless(this.last !== undefined, 'The stream ends without response.completed.');
    if (stringOf(this.last, 'status') === DONE) this.items.end(this.last);
  }
}
