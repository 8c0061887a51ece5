// Bounds the number of label sets of a metric: label values from clients could otherwise create series without end.

export type Labels = Record<string, string | number>;

/** The label value that replaces values beyond the bound. */
export const OTHER = 'other';

/** Labels with a small, fixed set of values. All other labels become `other` when there are too many sets. */
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
