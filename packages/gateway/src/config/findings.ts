// Collects what is found while a configuration is checked: problems at their places, and notes to log at the start.

import type { Path, Problem } from './problem.js';
import type { Fault, Source } from './source.js';

/** The most problems that are reported at once. */
const MAX_PROBLEMS = 100;

export class Findings {
  readonly notes: string[] = [];
  readonly #problems: Problem[] = [];
  readonly #paths: Path[] = [];

  constructor(
    readonly source: Source,
    private readonly variables: (path: Path) => readonly string[],
  ) {}

  /** Adds a problem. Of a field and its content only the first counts: others may follow from it. */
  add(path: Path, fault: Fault): void {
    if (this.isFull) return;
    if (this.#paths.some((known) => isWithin(path, known))) return;
    // A missing member may be the unknown one beside it, with a wrong name.
    if (fault.missing && this.#paths.some((known) => isWithin(known, path.slice(0, -1)))) return;
    this.#paths.push(path);
    this.#problems.push(this.source.problem(path, fault));
  }

  /** Whether there are more problems than are reported. */
  get isFull(): boolean {
    return this.#problems.length > MAX_PROBLEMS;
  }

  /** Whether a part of these members was refused, so that the whole cannot be checked. */
  touches(...members: string[]): boolean {
    return this.#paths.some(([first]) => members.includes(String(first)));
  }

  /** Whether whole entries of these members were refused, so that their names are unknown. */
  lost(...members: string[]): boolean {
    return this.#paths.some((path) => path.length <= 2 && members.includes(String(path[0])));
  }

  /** Gives the value in quotes, unless it came from a variable. */
  quote(path: Path, value: string): string {
    const [variable] = this.variables(path);
    return variable === undefined ? JSON.stringify(value) : `what \${${variable}} holds`;
  }

  /** Gives the problems in the order of the text. */
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
