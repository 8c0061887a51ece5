// Counts how often the same call was made in a row. A model that is stuck repeats it.

import { ExactNumber, type ExactValue, exactEntries, parseExact, stringifyJson } from '../model/index.js';
import type { ReadCall } from './read-turn.js';

export class Repeats {
  private before = new Map<string, number>();
  private now = new Map<string, number>();

  /** Begins a step: calls of the last step continue their row, all others are forgotten. */
  nextStep(): void {
    this.before = this.now;
    this.now = new Map();
  }

  /** Counts the call: 1 for one that is new, more for one that the last step or this one has made before. */
  count(call: ReadCall): number {
    const key = keyOf(call);
    const count = (this.now.get(key) ?? this.before.get(key) ?? 0) + 1;
    this.now.set(key, count);
    return count;
  }
}

/** The name and the input with its keys in order. Digits count as they were written: ids may be long. */
function keyOf({ call, raw, fault }: ReadCall): string {
  if (fault !== undefined) return `${call.name}\n${raw}`;
  return `${call.name}\n${stringifyJson(sorted(parseExact(call.raw ?? '{}')), 'compact')}`;
}

function sorted(value: ExactValue): ExactValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  const members = exactEntries(value).map(([key, member]) => [key, sorted(member)] as const);
  return new Map(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}
