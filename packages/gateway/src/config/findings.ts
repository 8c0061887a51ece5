// What is found out while a configuration is settled: problems at their places, and notes for the start.

import type { Path, Problem } from './problem.js';
import type { Fault, Source } from './source.js';

/** As many as anyone reads at once. */
const MAX_PROBLEMS = 100;

export class Findings {
  readonly notes: string[] = [];
  readonly #problems: Problem[] = [];
  readonly #paths: Path[] = [];

  constructor(
    readonly source: Source,
    private readonly variables: (path: Path) => readonly string[],
  ) {}

  /** Of a field and what is in it, the first problem counts: others may come of it. */
  add(path: Path, fault: Fault): void {
    if (this.#problems.length > MAX_PROBLEMS) return;
    if (this.#paths.some((known) => isWithin(path, known))) return;
    // What is missing may be what was refused beside it, by a wrong name.
    if (fault.missing && this.#paths.some((known) => isWithin(known, path.slice(0, -1)))) return;
    this.#paths.push(path);
    this.#problems.push(this.source.problem(path, fault));
  }

  /** Whether something within was refused, so that nothing can be said about the whole. */
  touches(...members: string[]): boolean {
    return this.#paths.some(([first]) => members.includes(String(first)));
  }

  /** Whether entries of these were refused whole, so that their names are not known. */
  lost(...members: string[]): boolean {
    return this.#paths.some((path) => path.length <= 2 && members.includes(String(path[0])));
  }

  /** The value in quotes, unless a variable held it. */
  quote(path: Path, value: string): string {
    const [variable] = this.variables(path);
    return variable === undefined ? JSON.stringify(value) : `what \${${variable}} holds`;
  }

  /** In the order of the text. */
  get problems(): Problem[] {
    const found = this.#problems.slice(0, MAX_PROBLEMS);
    const sorted = found.toSorted(
      (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
    );
    if (found.length === this.#problems.length) return sorted;
    return [...sorted, { file: this.source.file, path: '', message: 'there are more problems behind these' }];
  }
}

function isWithin(path: Path, known: Path): boolean {
  return known.length <= path.length && known.every((part, at) => part === path[at]);
}
