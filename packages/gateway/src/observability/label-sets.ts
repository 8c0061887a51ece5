// A bound on what metrics remember: label values that come from outside could otherwise make series without end.

export type Labels = Record<string, string | number>;

/** What stands for all that is too many. */
export const OTHER = 'other';

/** Labels whose values are ours and few. All others give way when there are too many sets. */
const closed = new Set(['api', 'status', 'direction', 'estimated', 'how']);

export class LabelSets {
  readonly #seen = new Set<string>();

  constructor(readonly max: number) {}

  /** The labels, or with `other` for the open ones where they would make one set too many. */
  take(labels: Labels): Labels {
    const key = JSON.stringify(Object.values(labels));
    if (this.#seen.has(key)) return labels;
    if (this.#seen.size < this.max) {
      this.#seen.add(key);
      return labels;
    }
    const entries = Object.entries(labels).map(([name, value]) => [name, closed.has(name) ? value : OTHER]);
    return Object.fromEntries(entries);
  }
}
