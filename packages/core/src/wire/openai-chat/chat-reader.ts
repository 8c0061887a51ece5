// Reads an upstream's chunks leniently. A whole answer is one large chunk, and a plain completion is a choice whose
// delta is its text.

import { reasoningKeys } from '../../model/accept-messages.js';
import { type AnswerEvent, type FinishReason, isObject, type Usage } from '../../model/index.js';
import { brokenEvent, decodeInnerError, isErrorBody } from '../upstream-error.js';
import { defined, listOf, memberOf, numberOf, stringOf } from '../values.js';
import { CallReader, ofChoice } from './call-reader.js';
import { decodeFinish } from './finish-reasons.js';
import { decodeUsage } from './usage.js';

interface Choice {
  calls: CallReader;
  finish: FinishReason | undefined;
  stopSequence: string | undefined;
}

export class ChatReader {
  readonly #choices = new Map<number, Choice>();
  #started = false;
  /** The first content was read. */
  #spoke = false;
  #usage: Usage | undefined;

  /** Reads one chunk. */
  read(chunk: unknown): AnswerEvent[] {
    if (!isObject(chunk)) return [brokenEvent('The upstream sent an event that is no JSON object.')];
    const choices = listOf(chunk, 'choices');
    if (choices.length === 0 && isErrorBody(chunk))
      return [{ type: 'error', error: decodeInnerError(chunk) }];
    this.#usage = decodeUsage(chunk) ?? this.#usage;
    const events = this.#started ? [] : [this.#start(chunk)];
    for (const [at, choice] of choices.entries()) events.push(...this.#readChoice(choice, at));
    if (isErrorBody(chunk)) events.push({ type: 'error', error: decodeInnerError(chunk) });
    return events;
  }

  /** Gives the remaining events. `ended`: the upstream sent its end, so a choice may lack its finish reason. */
  end(ended: boolean): { events: AnswerEvent[]; complete: boolean } {
    const choices = [...this.#choices];
    const complete = choices.length > 0 && (ended || choices.every(([, { finish }]) => finish !== undefined));
    const events = choices.flatMap(([index, choice]) =>
      complete || choice.finish !== undefined ? finishChoice(index, choice) : [],
    );
    if (complete && this.#usage !== undefined) events.push({ type: 'usage', usage: this.#usage });
    return { events, complete };
  }

  #start(chunk: unknown): AnswerEvent {
    this.#started = true;
    const id = stringOf(chunk, 'id') || undefined;
    const model = stringOf(chunk, 'model') || undefined;
    return { type: 'answer-start', ...defined({ id, model, created: numberOf(chunk, 'created') }) };
  }

  #readChoice(value: unknown, at: number): AnswerEvent[] {
    const index = numberOf(value, 'index') ?? at;
    const choice = this.#choice(index);
    const delta = memberOf(value, 'delta') ??
      memberOf(value, 'message') ?? { content: stringOf(value, 'text') };
    const events = [
      ...readText(delta, index),
      ...callPieces(delta).flatMap((piece) => choice.calls.read(piece)),
    ];
    if (!this.#spoke) this.#nameMember(delta, events[0]);
    choice.finish = decodeFinish(memberOf(value, 'finish_reason')) ?? choice.finish;
    choice.stopSequence = stringOf(value, 'stop_reason') ?? choice.stopSequence;
    return events;
  }

  /** Names the member of the first reasoning, if it is not the usual one. */
  #nameMember(delta: unknown, first: AnswerEvent | undefined): void {
    this.#spoke = first !== undefined;
    if (first?.type !== 'reasoning-delta') return;
    const member = reasoningKeys.find((key) => stringOf(delta, key));
    if (member === undefined) first.inParts = true;
    else if (member !== reasoningKeys[0]) first.member = member;
  }

  #choice(index: number): Choice {
    const known = this.#choices.get(index);
    if (known !== undefined) return known;
    const choice: Choice = { calls: new CallReader(index), finish: undefined, stopSequence: undefined };
    this.#choices.set(index, choice);
    return choice;
  }
}

/** Ends a choice. Servers give `stop` for answers with calls, and `tool_calls` for calls that are incomplete. */
function finishChoice(index: number, { calls, finish, stopSequence }: Choice): AnswerEvent[] {
  const whole = finish !== 'length' && finish !== 'content-filter';
  const { events, complete } = calls.finish(whole);
  const reason: FinishReason = !whole
    ? (finish ?? 'stop')
    : !complete
      ? 'length'
      : calls.count > 0
        ? 'tool-calls'
        : 'stop';
  const stop = reason === 'stop' && stopSequence !== undefined && { stopSequence };
  const given = whole && !complete && { given: 'tool-calls' as const };
  return [...events, { type: 'finish', reason, ...given, ...stop, ...ofChoice(index) }];
}

function readText(delta: unknown, choice: number): AnswerEvent[] {
  const events: AnswerEvent[] = [];
  const add = (type: 'text-delta' | 'reasoning-delta', text: string | undefined) => {
    if (text) events.push({ type, text, ...ofChoice(choice) });
  };
  add('reasoning-delta', firstText(delta, reasoningKeys));
  add('text-delta', stringOf(delta, 'content'));
  for (const part of listOf(delta, 'content')) {
    if (typeof part === 'string') add('text-delta', part);
    else if (isThought(part)) add('reasoning-delta', partText(part));
    else add('text-delta', partText(part));
  }
  const refusal = stringOf(delta, 'refusal');
  if (refusal) events.push({ type: 'text-delta', text: refusal, refusal: true, ...ofChoice(choice) });
  return events;
}

/** Gives the first text: some servers send the same reasoning under two names. */
function firstText(delta: unknown, keys: string[]): string | undefined {
  return keys.map((key) => stringOf(delta, key)).find((text) => text);
}

function isThought(part: unknown): boolean {
  return ['thinking', 'reasoning'].includes(stringOf(part, 'type') ?? '');
}

/** Gives the text of a part; one of reasoning may hold parts of its own. */
function partText(part: unknown): string {
  const text = stringOf(part, 'text') ?? stringOf(part, 'thinking') ?? stringOf(part, 'refusal');
  return (
    text ??
    listOf(part, 'thinking')
      .map((inner) => stringOf(inner, 'text') ?? '')
      .join('')
  );
}

function callPieces(delta: unknown): unknown[] {
  const older = memberOf(delta, 'function_call');
  const pieces = listOf(delta, 'tool_calls');
  return older === undefined || pieces.length > 0 ? pieces : [{ index: 0, function: older }];
}
