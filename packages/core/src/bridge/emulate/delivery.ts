// What goes out of an attempt, and when: at once, or, while asking again may help, not before the attempt is over.

import type { AnswerEvent } from '../../model/index.js';

export interface DeliveryOptions {
  choice: number;
  /** Nobody reads along: everything may wait until the end. */
  holdAll: boolean;
  /** A call has to come: text waits for it. */
  required: boolean;
  mayReask: boolean;
  /** Whether something is wrong with the attempt, or seems to be. */
  isDoubtful(): boolean;
}

export class Delivery {
  /** Text is on its way to the client. */
  saidText = false;
  #mayReask: boolean;
  #called = false;
  #out: AnswerEvent[] = [];
  #held: AnswerEvent[] = [];

  constructor(readonly options: DeliveryOptions) {
    this.#mayReask = options.mayReask;
  }

  /** Nothing went out yet that a new attempt would have to take back. */
  get mayReask(): boolean {
    return this.#mayReask;
  }

  /** Whether what comes now waits for the end of the attempt. */
  get waits(): boolean {
    return this.#mayReask && (this.options.holdAll || this.options.isDoubtful());
  }

  emit(event: AnswerEvent): void {
    const placed = this.options.choice === 0 ? event : { ...event, choice: this.options.choice };
    if (this.waits || this.#isEarly(event)) {
      this.#hold(placed);
      return;
    }
    this.letGo();
    this.#out.push(placed);
    this.#note(event);
    // From here on a new attempt would have to take a call back.
    if (event.type === 'call-start') this.#mayReask = false;
  }

  /** What was held is for the client after all. */
  letGo(): void {
    for (const event of this.#held) {
      this.#out.push(event);
      this.#note(event);
    }
    this.#held = [];
  }

  take(): AnswerEvent[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  /** Where a call is required, text waits for it, and so does a thought behind that text. */
  #isEarly({ type }: AnswerEvent): boolean {
    if (!this.#mayReask || !this.options.required || this.#called) return false;
    return type === 'text-delta' || (type === 'reasoning-delta' && this.#held.length > 0);
  }

  /** Small pieces that wait together become one. */
  #hold(event: AnswerEvent): void {
    const last = this.#held.at(-1);
    const same =
      last?.type === event.type && (event.type === 'text-delta' || event.type === 'reasoning-delta');
    if (same && 'text' in last && !('extra' in event)) last.text += event.text;
    else this.#held.push({ ...event });
    if (event.type === 'call-end') this.#called = true;
  }

  #note({ type }: AnswerEvent): void {
    if (type === 'text-delta') this.saidText = true;
    if (type === 'call-end') this.#called = true;
  }
}
