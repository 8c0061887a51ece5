// What undo brings back in Write: the whole state before each change. Keys that are typed in a row are one change.

/** Milliseconds after which another key in the same field is another change. */
const PAUSE = 1000;
const MOST_STEPS = 100;
/** Characters of all states that are kept. */
const MOST_LENGTH = 10_000_000;

interface Kept<T> {
  state: T;
  length: number;
}

export class StateHistory<T> {
  #before: Kept<T>[] = [];
  #after: Kept<T>[] = [];
  #path = '';
  #time = Number.NEGATIVE_INFINITY;

  constructor(readonly lengthOf: (state: T) => number) {}

  get canUndo(): boolean {
    return this.#before.length > 0;
  }

  get canRedo(): boolean {
    return this.#after.length > 0;
  }

  /** Notes the state before a change; `path`: of the field where somebody types. */
  note(state: T, path: string, now: number): void {
    const goesOn = path !== '' && path === this.#path && now - this.#time < PAUSE;
    this.#path = path;
    this.#time = now;
    this.#after = [];
    if (goesOn) return;
    this.#before.push(this.#keep(state));
    let length = this.#before.reduce((sum, one) => sum + one.length, 0);
    while (this.#before.length > MOST_STEPS || (length > MOST_LENGTH && this.#before.length > 1))
      length -= this.#before.shift()?.length ?? 0;
  }

  undo(state: T): T | undefined {
    return this.#move(state, this.#before, this.#after);
  }

  redo(state: T): T | undefined {
    return this.#move(state, this.#after, this.#before);
  }

  #move(state: T, from: Kept<T>[], to: Kept<T>[]): T | undefined {
    const kept = from.pop();
    if (!kept) return undefined;
    to.push(this.#keep(state));
    this.#path = '';
    return kept.state;
  }

  /** A store changes its objects in place, so a copy is kept. */
  #keep(state: T): Kept<T> {
    return { state: structuredClone(state), length: this.lengthOf(state) };
  }
}
