// The value of a configuration, with the place of each part in its text.

import { all, type Dialect, type Registry } from '@dragoman/core';
import { hideSecrets, isPublic } from './hide-secrets.js';
import { formatPath, type Path, type Problem } from './problem.js';

export interface Range {
  from: number;
  to: number;
}

export interface Place {
  /** The range of the member's name, if it has one. */
  key?: Range;
  value: Range;
}

export interface Fault {
  message: string;
  hint?: string;
  /** Which part of the field is shown. Default `value`. */
  at?: 'key' | 'value';
  /** Whether the field is missing. */
  missing?: boolean;
}

export interface PlacedFault {
  path: Path;
  fault: Fault;
}

/** Loads a dialect. Throws a UsageError if the file is wrong, or the registry has a dialect of this name. */
export type LoadDialect = (file: string, registry: Registry) => Dialect;

/** Characters of a line that are shown. */
const WIDTH = 96;

export class Source {
  value: unknown = {};
  /** The dialects that can be named without a file. */
  dialects: Registry = all;
  /** Reads a dialect from a file beside the configuration. */
  loadDialect: LoadDialect | undefined;
  /** Gives the whole path of a file that the configuration names. Absent: as it is written. */
  resolveFile: ((file: string) => string) | undefined;
  /** Members (`host`, `upstream.kind`) that came from a flag or a variable, not from the text. */
  readonly elsewhere = new Map<string, { file: string; path: string }>();
  readonly #places = new Map<string, Place>();
  readonly #shown: Range[] = [];
  readonly #lines: number[] = [0];

  /** Without a text there are no line numbers: the value came from a program or from flags. */
  constructor(
    readonly file: string,
    readonly text?: string,
  ) {
    for (let at = text?.indexOf('\n') ?? -1; at >= 0; at = text?.indexOf('\n', at + 1) ?? -1) {
      this.#lines.push(at + 1);
    }
  }

  place(path: Path, place: Place): void {
    this.#places.set(JSON.stringify(path), place);
    if (place.key) this.#shown.push(place.key);
  }

  /** Records a value whose text may be shown. */
  placeScalar(path: Path, range: Range): void {
    if (isPublic(path, this.text?.slice(range.from, range.to) ?? '')) this.#shown.push(range);
  }

  problem(path: Path, { message, hint, at = 'value' }: Fault): Problem {
    const said = this.elsewhere.get(path.slice(0, 2).join('.')) ?? this.elsewhere.get(String(path[0]));
    const problem = { file: this.file, path: formatPath(path), message, ...(hint !== undefined && { hint }) };
    if (said) return { ...problem, ...said };
    const place = this.#placeOf(path);
    const range = at === 'key' ? (place?.key ?? place?.value) : place?.value;
    if (!range) return problem;
    return { ...problem, ...this.#where(range, this.#shown) };
  }

  /** Makes a problem of the syntax: the fields around it are unknown. */
  problemAt(from: number, message: string, hint?: string): Problem {
    const problem = { file: this.file, path: '', message, ...(hint !== undefined && { hint }) };
    return { ...problem, ...this.#where({ from, to: from + 1 }, undefined) };
  }

  offsetOf(line: number, column: number): number {
    return (this.#lines[line - 1] ?? 0) + column - 1;
  }

  /** Gives the place of a member; of a missing one, the place where it should be. */
  #placeOf(path: Path): Place | undefined {
    for (let length = path.length; length >= 0; length--) {
      const place = this.#places.get(JSON.stringify(path.slice(0, length)));
      if (place) return length === path.length || !place.key ? place : { value: place.key };
    }
    return undefined;
  }

  #where({ from, to }: Range, shown: readonly Range[] | undefined) {
    if (this.text === undefined) return {};
    const line = this.#lineOf(from);
    const start = this.#lines[line - 1] ?? 0;
    const next = this.#lines[line];
    const end = next === undefined ? this.text.length : next - 1;
    const length = Math.max(1, Math.min(to, end) - from);
    const excerpt = this.#excerpt({ from: start, to: end }, { from, to: from + length }, shown);
    return { line, column: from - start + 1, excerpt };
  }

  /** The part of a line around a fault, of the width of a terminal. */
  #excerpt(line: Range, fault: Range, shown: readonly Range[] | undefined) {
    const skip = fault.from - line.from > WIDTH - 16 ? fault.from - line.from - 16 : 0;
    const start = line.from + skip;
    const end = Math.min(line.to, start + WIDTH);
    const written = this.text ?? '';
    // Without ranges whole words decide. Otherwise only what is shown is looked at: a line may hold the whole file, and a
    // hundred faults.
    const hidden = shown
      ? hideSecrets(written.slice(start, end), start, shown)
      : hideSecrets(written.slice(line.from, line.to), line.from, undefined).slice(skip, skip + WIDTH);
    const text = hidden.trimEnd();
    const from = fault.from - start;
    return { text, from, length: Math.max(1, Math.min(fault.to - fault.from, text.length - from)) };
  }

  /** Gives the line number, from 1. */
  #lineOf(offset: number): number {
    let low = 0;
    let high = this.#lines.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#lines[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }
}
