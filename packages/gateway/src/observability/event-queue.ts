// A bounded queue of serialised events of the inspector. Events that do not fit are dropped and counted.

import type { InspectorEvent } from './inspector-shapes.js';

export class EventQueue {
  #texts: string[] = [];
  #size = 0;
  #dropped = 0;

  /** At most so many events and characters. `write` serialises an event. */
  constructor(
    readonly max: number,
    readonly maxSize: number,
    readonly write: (event: InspectorEvent) => string,
  ) {}

  add(event: InspectorEvent): void {
    const text = this.#texts.length < this.max ? this.write(event) : undefined;
    if (text === undefined || this.#size + text.length > this.maxSize) this.#dropped++;
    else this.#push(text);
  }

  /** Takes everything that is queued, and the number of dropped events. */
  take(): string | undefined {
    if (this.#dropped > 0) this.#push(this.write({ type: 'dropped', count: this.#dropped }));
    this.#dropped = 0;
    if (this.#texts.length === 0) return undefined;
    const text = this.#texts.join('');
    this.#texts = [];
    this.#size = 0;
    return text;
  }

  #push(text: string): void {
    this.#texts.push(text);
    this.#size += text.length;
  }
}
