// Cuts what an upstream sends at once into portions, with a pause after each, and bounds the arguments of its calls. An
// answer of megabytes in one piece would keep everything else waiting while it is read.

import type { Limits } from '../../engine/parser-options.js';
import { LONGEST_CALLS, MOST_IN_CALLS, tooMuchInCalls } from '../../model/call-limits.js';
import type { AnswerEvent, ApiError } from '../../model/index.js';
import { JsonSize } from '../../model/json-size.js';
import { isHighSurrogate } from '../../model/surrogates.js';

/** Characters of one portion. Reading them takes some milliseconds. */
const PORTION = 32 * 1024;

/** The limits of one call, in text or native, unless the options say otherwise. */
export const CALL_LIMITS: Partial<Limits> = { members: MOST_IN_CALLS, argumentLength: LONGEST_CALLS };

/** Characters from which on the steps that take an answer as a whole are divided by pauses. */
export const LARGE = 256 * 1024;

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

function rest(event: Delta, text: string): Delta {
  if (event.type !== 'reasoning-delta') return { ...event, text };
  const { type, choice } = event;
  return { type, text, ...(choice !== undefined && { choice }) };
}

/** A timer takes a millisecond, which is too much for every request of an agent. Not all runtimes have the other. */
const { setImmediate: soon = setTimeout } = globalThis as { setImmediate?: (goOn: () => void) => unknown };

/** Lets everything else go on. */
export function pause(): Promise<void> {
  return new Promise((goOn) => soon(goOn));
}

/** Counts the elements and the characters in the arguments of calls. */
export class ArgumentCount {
  readonly #utf8 = new TextEncoder();
  readonly #sizes = new Map<string, JsonSize>();
  readonly #most: { elements: number; characters: number };
  #elements = 0;
  #characters = 0;

  /** What one call may have, all may have together. */
  constructor({ members = 0, argumentLength = 0 }: Partial<Limits> = {}) {
    this.#most = {
      elements: Math.max(members, MOST_IN_CALLS),
      characters: Math.max(argumentLength, LONGEST_CALLS),
    };
  }

  /** Gives an error for the event that is too much. */
  add(event: AnswerEvent): ApiError | undefined {
    if (event.type !== 'call-delta') return undefined;
    this.#characters += event.text.length;
    const { elements, characters } = this.#most;
    if (this.#characters > characters) return tooMuchInCalls(characters, 'characters');
    const key = `${event.choice ?? 0} ${event.id}`;
    const size = this.#sizes.get(key) ?? new JsonSize();
    this.#sizes.set(key, size);
    const before = size.elements;
    size.add(this.#utf8.encode(event.text));
    this.#elements += size.elements - before;
    return this.#elements > elements ? tooMuchInCalls(elements, 'elements') : undefined;
  }
}
