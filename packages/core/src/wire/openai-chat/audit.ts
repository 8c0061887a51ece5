// Reads an answer of the chat API strictly.

import { type AnswerAudit, argumentsOf, bodyOf, type Frame, framesOf, OrderFaults } from '../audit.js';
import { listOf, memberOf, numberOf, stringOf } from '../values.js';
import { encodeFinish } from './finish-reasons.js';

const CALLS = encodeFinish('tool-calls');
const TEXT = encodeFinish('stop');

export function auditAnswer(text: string, streamed: boolean): AnswerAudit {
  return streamed ? auditStream(framesOf(text)) : auditBody(bodyOf(text));
}

function auditBody(body: unknown): AnswerAudit {
  const [choice] = listOf(body, 'choices');
  const sent = listOf(choice, 'message', 'tool_calls');
  const ids = sent.map((call) => stringOf(call, 'id') ?? '');
  const calls = sent.map((call) => ({
    name: stringOf(call, 'function', 'name') ?? '',
    arguments: argumentsOf(memberOf(call, 'function', 'arguments')),
  }));
  return {
    ...audit(ids, stringOf(choice, 'finish_reason'), []),
    calls,
    ...(sent.some(hasValue) && { oddArguments: ODD }),
  };
}

const ODD = 'The arguments are a JSON value, and not a text that holds JSON.';

/** Clients parse the arguments: a value throws. */
function hasValue(call: unknown): boolean {
  const given = memberOf(call, 'function', 'arguments');
  return given !== undefined && given !== null && typeof given !== 'string';
}

function audit(callIds: string[], finish: string | undefined, order: string[]): AnswerAudit {
  const wanted = callIds.length > 0 ? CALLS : TEXT;
  return { callIds, ...(finish !== undefined && { finish }), wanted, triggered: finish === CALLS, order };
}

function auditStream(frames: readonly Frame[]): AnswerAudit {
  const faults = new OrderFaults();
  const ids = new Map<number, string>();
  let finish: string | undefined;
  let done = false;
  let odd = false;
  for (const { data, value } of frames) {
    faults.unless(!done, 'Something comes after [DONE].');
    if (data.startsWith('[DONE]')) {
      done = true;
      continue;
    }
    faults.unless(value !== undefined, 'An event is no JSON.');
    for (const choice of listOf(value, 'choices')) {
      const pieces = listOf(choice, 'delta', 'tool_calls');
      const says = pieces.length > 0 || (stringOf(choice, 'delta', 'content') ?? '') !== '';
      faults.unless(!(says && finish !== undefined), 'Content comes after the finish reason.');
      for (const piece of pieces) readPiece(piece, ids, faults);
      odd ||= pieces.some(hasValue);
      finish = stringOf(choice, 'finish_reason') ?? finish;
    }
  }
  faults.unless(done, 'The stream ends without [DONE].');
  return { ...audit([...ids.values()], finish, faults.list), ...(odd && { oddArguments: ODD }) };
}

/** By the API every piece has the index of its call, and the first one has its name. */
function readPiece(piece: unknown, ids: Map<number, string>, faults: OrderFaults): void {
  const index = numberOf(piece, 'index');
  const id = stringOf(piece, 'id') ?? '';
  faults.unless(index !== undefined, 'A piece of a call has no index.');
  const at = index ?? 0;
  const known = ids.get(at);
  if (known === undefined) {
    const named = (stringOf(memberOf(piece, 'function') ?? memberOf(piece, 'custom'), 'name') ?? '') !== '';
    faults.unless(named, 'The first piece of a call has no name.');
    faults.unless(at === ids.size, 'The indexes of the calls have a gap.');
    ids.set(at, id);
  } else if (id !== '' && known !== '' && id !== known)
    faults.add(`Two calls have the index ${at}: clients join their arguments.`);
  else if (known === '') ids.set(at, id);
}
