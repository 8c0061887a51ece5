// When the events of an attempt go to the client: at once, or, while a reask may help, when the attempt is over.

import type { AnswerEvent } from '../../model/index.js';

export interface DeliveryOptions {
  choice: number;
  /** The answer is not streamed: everything may wait until the end. */
  holdAll: boolean;
  /** A call is required: text waits for it. */
  required: boolean;
  mayReask: boolean;
  /** Another endpoint can be asked, while nothing was delivered. */
  mayMove?: boolean | undefined;
  /** Whether the attempt has a problem, or may have one. */
  isDoubtful(): boolean;
  /** Whether the text that is delivered could not be followed by that of a new attempt. */
  isFinal?(): boolean;
}

export class Delivery {
  /** Whether text was delivered. */
  saidText = false;
  #mayReask: boolean;
  #mayMove: boolean;
  #called = false;
  #out: AnswerEvent[] = [];
  #held: AnswerEvent[] = [];

  constructor(readonly options: DeliveryOptions) {
    this.#mayReask = options.mayReask;
    this.#mayMove = options.mayMove ?? false;
  }

  /** Whether a new attempt is possible: no call was delivered that it would have to take back. */
  get mayReask(): boolean {
    return this.#mayReask;
  }

  /** Whether events now wait for the end of the attempt. */
  get waits(): boolean {
    return this.#mayDrop && (this.options.holdAll || this.options.isDoubtful());
  }

  /** Whether what is held may be dropped later: for a new attempt, or for another endpoint. */
  get #mayDrop(): boolean {
    return this.#mayReask || this.#mayMove;
  }

  emit(event: AnswerEvent): void {
    const placed = this.options.choice === 0 ? event : { ...event, choice: this.options.choice };
    if (this.waits || this.#isEarly(event)) {
      this.#hold(placed);
      return;
    }
    this.letGo();
    this.#mayMove = false;
    this.#out.push(placed);
    this.#note(event);
    // A new attempt would have to take this back.
    if (event.type === 'call-start' || (event.type === 'text-delta' && this.options.isFinal?.()))
      this.#mayReask = false;
  }

  /** Delivers what was held. */
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

  /** Whether this is text before a required call, or reasoning after such text: both wait for the call. */
  #isEarly({ type }: AnswerEvent): boolean {
    if (!this.#mayDrop || !this.options.required || this.#called) return false;
    return type === 'text-delta' || (type === 'reasoning-delta' && this.#held.length > 0);
  }

  /** Holds an event; adjacent deltas are merged. */
  #hold(event: AnswerEvent): void {
    const last = this.#held.at(-1);
    const same =
      last?.type === event.type && (event.type === 'text-delta' || event.type === 'reasoning-delta');
    if (same && 'text' in last && !('extra' in event) && 'refusal' in last === 'refusal' in event)
      last.text += event.text;
    else this.#held.push({ ...event });
    if (event.type === 'call-end') this.#called = true;
  }

  #note({ type }: AnswerEvent): void {
    if (type === 'text-delta') this.saidText = true;
    if (type === 'call-end') this.#called = true;
  }
}

/** Puts a paragraph break before the first text, after that of an earlier attempt. Gives whether there is text. */
export function separate(events: AnswerEvent[]): boolean {
  const at = events.findIndex(({ type }) => type === 'text-delta');
  const first = events[at];
  if (first?.type !== 'text-delta') return false;
  events.splice(at, 0, { ...first, text: '\n\n' });
  return true;
}
