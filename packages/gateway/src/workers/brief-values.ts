// Long values that come or go piece by piece. The other side may never ask for the rest: its client has left, or an error
// ended its work.

/** Milliseconds after its last piece for which a value is kept. */
const KEPT = 60_000;

interface Kept {
  text: string;
  timer: NodeJS.Timeout;
}

export class BriefValues {
  readonly #kept = new Map<number, Kept>();

  get(id: number): string | undefined {
    return this.#kept.get(id)?.text;
  }

  /** For another while. */
  set(id: number, text: string): void {
    const known = this.#kept.get(id);
    if (known) {
      known.text = text;
      known.timer.refresh();
      return;
    }
    this.#kept.set(id, { text, timer: setTimeout(() => this.#kept.delete(id), KEPT).unref() });
  }

  /** Gives what is there, and forgets it. */
  take(id: number): string | undefined {
    const known = this.#kept.get(id);
    clearTimeout(known?.timer);
    this.#kept.delete(id);
    return known?.text;
  }
}
