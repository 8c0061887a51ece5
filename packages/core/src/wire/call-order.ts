// Keeps calls from overlapping, for APIs whose streams consist of blocks that open and close. Only native upstreams
// write two calls at once: then the events of the later call, and all other events, wait until the earlier call has
// ended.

import type { AnswerEvent } from '../model/index.js';

type CallDelta = Extract<AnswerEvent, { type: 'call-delta' }>;

/** The events of an answer whose order matters. */
export type ContentEvent = Extract<
  AnswerEvent,
  { type: 'text-delta' | 'reasoning-delta' | 'call-start' | 'call-delta' | 'call-end' | 'finish' }
>;

export class CallOrder {
  /** The id of the call whose events are passed on now. */
  #open: string | undefined;
  #held = new Held();

  /** Gives the events to send now. A call that is followed by others without its `call-end` was cut off. */
  take(event: ContentEvent): ContentEvent[] {
    if (event.type === 'finish') return [...this.#releaseAll(), event];
    if (this.#open !== undefined && !('id' in event && event.id === this.#open)) {
      this.#held.add(event);
      return [];
    }
    if (event.type === 'call-start') this.#open = event.id;
    if (event.type !== 'call-end') return [event];
    this.#open = undefined;
    return this.#held.isEmpty ? [event] : [event, ...this.#release()];
  }

  /** Releases events up to the next call that is still open; the rest keeps waiting. */
  #release(): ContentEvent[] {
    const held = this.#held;
    this.#held = new Held();
    return held.events.flatMap((event) => this.take(event));
  }

  #releaseAll(): ContentEvent[] {
    const events: ContentEvent[] = [];
    while (!this.#held.isEmpty) {
      this.#open = undefined;
      events.push(...this.#release());
    }
    return events;
  }
}

/** Events that wait. The deltas of one call are joined into one, so that many calls at once stay cheap. */
class Held {
  readonly events: ContentEvent[] = [];
  readonly #deltas = new Map<string, CallDelta>();

  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  add(event: ContentEvent): void {
    const before = event.type === 'call-delta' ? this.#deltas.get(event.id) : this.events.at(-1);
    const joins = event.type === 'call-delta' || (event.type === 'text-delta' && !event.refusal);
    if (joins && before?.type === event.type && !('refusal' in before)) {
      before.text += event.text;
      return;
    }
    const copy = { ...event };
    this.events.push(copy);
    if (copy.type === 'call-delta') this.#deltas.set(copy.id, copy);
  }
}
