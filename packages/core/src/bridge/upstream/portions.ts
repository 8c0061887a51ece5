// Cuts what an upstream sends at once into portions, with a pause after each, and bounds the arguments of its calls. An
// answer of megabytes in one piece would keep everything else waiting while it is read.

import { type AnswerEvent, ApiError } from '../../model/index.js';
import { JsonSize } from '../../model/json-size.js';

/** Characters of one portion. Reading them takes some milliseconds. */
const PORTION = 32 * 1024;

/** The most elements in the arguments of all calls of an answer: what is made of them takes some 30 ms at the end. */
export const MOST_IN_CALLS = 20_000;

type Delta = AnswerEvent & { type: 'text-delta' | 'reasoning-delta' | 'call-delta' };

/** Gives the events in lists of at most one portion each. Most pieces of an upstream are one. */
export function inPortions(events: AnswerEvent[]): AnswerEvent[][] {
  const length = events.reduce((sum, event) => sum + lengthOf(event), 0);
  if (length <= PORTION) return [events];
  const portions: AnswerEvent[][] = [];
  let portion: AnswerEvent[] = [];
  let room = PORTION;
  for (const event of events.flatMap(cut)) {
    if (lengthOf(event) > room) {
      portions.push(portion);
      portion = [];
      room = PORTION;
    }
    portion.push(event);
    room -= lengthOf(event);
  }
  return [...portions, portion];
}

function isDelta(event: AnswerEvent): event is Delta {
  return event.type === 'text-delta' || event.type === 'reasoning-delta' || event.type === 'call-delta';
}

/** Events without text count, too: a piece can have thousands of them. */
const lengthOf = (event: AnswerEvent) => 16 + (isDelta(event) ? event.text.length : 0);

/** Cuts no pair of surrogates. What an event has beside its text stays with the first part. */
function cut(event: AnswerEvent): AnswerEvent[] {
  if (!isDelta(event) || event.text.length <= PORTION / 2) return [event];
  const parts: Delta[] = [];
  const { text } = event;
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = Math.min(at + PORTION / 2, text.length);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end++;
    parts.push(
      parts.length === 0 ? { ...event, text: text.slice(at, end) } : rest(event, text.slice(at, end)),
    );
  }
  return parts;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function rest(event: Delta, text: string): Delta {
  if (event.type !== 'reasoning-delta') return { ...event, text };
  const { type, choice } = event;
  return { type, text, ...(choice !== undefined && { choice }) };
}

/** Lets everything else go on. */
export function pause(): Promise<void> {
  return new Promise((goOn) => setTimeout(goOn));
}

/** Counts the elements in the arguments of calls. */
export class ArgumentCount {
  readonly #utf8 = new TextEncoder();
  readonly #sizes = new Map<string, JsonSize>();
  #elements = 0;

  /** Gives an error for the event that is too much. */
  add(event: AnswerEvent): ApiError | undefined {
    if (event.type !== 'call-delta') return undefined;
    const key = `${event.choice ?? 0} ${event.id}`;
    const size = this.#sizes.get(key) ?? new JsonSize();
    this.#sizes.set(key, size);
    const before = size.elements;
    size.add(this.#utf8.encode(event.text));
    this.#elements += size.elements - before;
    return this.#elements > MOST_IN_CALLS ? tooManyInCalls() : undefined;
  }
}

export function tooManyInCalls(): ApiError {
  const message = `The upstream's answer has more than ${MOST_IN_CALLS} elements in the arguments of its calls.`;
  return new ApiError('upstream-broken', message);
}
