// Finds the types of nested columns from all rows of a file, so that a list of messages is a list in Parquet, too.
//
// Objects of a list, such as messages, calls and tools, become structs, and members that one of them lacks are null.
// Arguments of calls and schemas of tools become structs only if a struct holds all of them as they are (found.ts). Else
// the null of one call's key would appear in every other call, and models would learn to write it: they stay JSON text.

import { exactEntries, isExactObject, parseExact } from '@dragoman/core/internal';
import type { ParquetColumns } from '../block.js';
import { type Column, TOKENS } from './columns.js';
import { type Found, type FoundObject, look, merged, reasonIn } from './found.js';
import { isOpen } from './open-objects.js';

/** The columns of tokens. */
export const tokenColumns: ReadonlyMap<string, Column> = new Map(
  ['input_ids', 'attention_mask', 'labels'].map((name) => [name, TOKENS]),
);

export interface Survey {
  /** The columns that hold lists and objects. */
  types: Map<string, Column>;
  notes: SurveyNote[];
}

/** What a report says of a column: the rows are those of the output, from 1. */
export type SurveyNote = { count: number; row: number; path: string } & (
  | { kind: 'issue'; code: 'text-arguments' }
  | { kind: 'loss'; code: 'key-order' }
);

export function surveyColumns(blocks: Iterable<Iterable<string>>, columns: ParquetColumns): Survey {
  const found = new Map<string, Found>();
  let row = 0;
  for (const lines of blocks)
    for (const line of lines) {
      row++;
      const value = parseExact(line);
      if (!isExactObject(value)) continue;
      for (const [name, member] of exactEntries(value)) {
        const known = found.get(name);
        if (typeof member !== 'object' && !known) continue;
        const seen = look(member, name, row, columns === 'struct');
        found.set(name, known ? merged(known, seen) : seen);
      }
    }
  const choice = new ColumnChoice(columns);
  const types = [...found].flatMap(([name, one]): [string, Column][] => {
    const column = choice.of(one, { path: name, loose: false, within: false });
    return typeof column === 'string' ? [] : [[name, column]];
  });
  return { types: new Map(types), notes: choice.allNotes() };
}

interface Place {
  /** `messages[].tool_calls[].function.arguments` */
  path: string;
  /** An object may lack members: it is one of a list, and no part of arguments. */
  loose: boolean;
  /** It is a part of arguments or of a schema. */
  within: boolean;
}

class ColumnChoice {
  readonly #notes: SurveyNote[] = [];
  /** The rows that lose the order of keys, and the place of the first. A row may have several such objects. */
  readonly #reordered = new Set<number>();
  #firstReordered: { row: number; path: string } | undefined;

  constructor(private readonly columns: ParquetColumns) {}

  of(found: Found, place: Place): Column {
    const { path, within } = place;
    if ('type' in found) {
      if (found.isOpen && !within) this.#noteText(found, path);
      return found.type === 'long' ? 'integer' : found.type;
    }
    if ('list' in found)
      return { list: this.of(found.list, { ...place, path: `${path}[]`, loose: !within }) };
    return this.#ofObject(found, place);
  }

  #ofObject(found: FoundObject, { path, loose, within }: Place): Column {
    const { name, text, agree, members, reordered } = found;
    const json = text ? 'string' : 'json';
    const open = within || isOpen(name);
    if (open && !within && (this.columns === 'json' || this.#noteText(found, path))) return json;
    // Parquet has no struct without members.
    if (members.size === 0 || (!agree && !loose)) return json;
    if (open && reordered) this.#noteOrder(reordered, path);
    const struct = [...members].map(([key, member]): [string, Column] => [
      key,
      this.of(member, { path: `${path}.${key}`, loose, within: open }),
    ]);
    return { struct: new Map(struct), ...(text && { text }) };
  }

  #noteOrder(rows: readonly number[], path: string): void {
    for (const row of rows) this.#reordered.add(row);
    const [row = 0] = rows;
    if (!this.#firstReordered || row < this.#firstReordered.row) this.#firstReordered = { row, path };
  }

  allNotes(): SurveyNote[] {
    const first = this.#firstReordered;
    if (!first) return this.#notes;
    return [...this.#notes, { kind: 'loss', code: 'key-order', count: this.#reordered.size, ...first }];
  }

  /** Notes why arguments are no structs. Gives false if they are. */
  #noteText(found: Found, path: string): boolean {
    const reason = this.columns === 'struct' ? reasonIn(found) : undefined;
    if (!reason) return false;
    const { row, why } = reason;
    this.#notes.push({ kind: 'issue', code: 'text-arguments', count: 1, row, path: `${path}: ${why}` });
    return true;
  }
}
