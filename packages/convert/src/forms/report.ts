// The report of a conversion: counts, and one example of each kind of note. Reports of parts can be merged in any
// grouping, so that threads and machines can each make theirs.

import { type ScoreData, type ScoredOutput, ScoreTally } from '../score/tally.js';
import type { NoteCode } from './codes.js';
import type { Note } from './form.js';

export interface NoteCount {
  count: number;
  /** The place of one of them: `messages[3].parts[1]` in the given row. */
  example: { row: number; path: string };
}

export interface ReportData {
  rows: number;
  /** Rows that could not be converted. */
  badRows: number;
  calls: number;
  repairs: { [code: string]: NoteCount };
  issues: { [code: string]: NoteCount };
  losses: { [code: string]: NoteCount };
  /** Of rows that were scored, not converted. */
  score?: ScoreData;
}

const kinds = { repair: 'repairs', issue: 'issues', loss: 'losses' } as const;

type Counts = Map<string, NoteCount>;

interface AddedRow {
  notes: readonly Note[];
  calls: number;
  outputs?: readonly ScoredOutput[];
}

export class Report {
  rows = 0;
  badRows = 0;
  calls = 0;
  readonly #notes: Record<Note['kind'], Counts> = { repair: new Map(), issue: new Map(), loss: new Map() };
  #score: ScoreTally | undefined;

  /** Adds a converted row. `row` is its number in the input, from 1. */
  add({ notes, calls, outputs }: AddedRow, row: number): void {
    this.rows++;
    this.calls += calls;
    for (const output of outputs ?? []) this.#scores().add(output, row);
    for (const { kind, code, path } of notes) this.#count(kind, code, 1, { row, path });
  }

  /** Adds a note on the output as a whole. `row`: the first row of it that has what is noted. */
  addNote({ kind, code, count, row, path }: NoteCode & { count: number; row: number; path: string }): void {
    this.#count(kind, code, count, { row, path });
  }

  /** Adds a row that could not be converted. */
  addBad(): void {
    this.badRows++;
  }

  /**
   * Adds the counts of another report, whose rows come after `before` others. Of two examples the earlier row's is
   * kept, whichever report comes first.
   */
  merge(other: ReportData | Report, before = 0): void {
    const data = other instanceof Report ? other.toJSON() : other;
    this.rows += data.rows;
    this.badRows += data.badRows;
    this.calls += data.calls;
    if (data.score) this.#scores().merge(data.score, before);
    for (const kind of ['repair', 'issue', 'loss'] as const) {
      for (const [code, { count, example }] of Object.entries(data[kinds[kind]])) {
        this.#count(kind, code, count, { ...example, row: example.row + before });
      }
    }
  }

  /** Sorts the codes, so that equal reports are equal text. */
  toJSON(): ReportData {
    const { rows, badRows, calls } = this;
    const { repair, issue, loss } = this.#notes;
    const notes = { repairs: sorted(repair), issues: sorted(issue), losses: sorted(loss) };
    return { rows, badRows, calls, ...notes, ...(this.#score && { score: this.#score.toJSON() }) };
  }

  #scores(): ScoreTally {
    this.#score ??= new ScoreTally();
    return this.#score;
  }

  #count(kind: Note['kind'], code: string, count: number, example: NoteCount['example']): void {
    const known = this.#notes[kind].get(code);
    if (known === undefined) this.#notes[kind].set(code, { count, example });
    else {
      known.count += count;
      if (isEarlier(example, known.example)) known.example = example;
    }
  }
}

function sorted(counts: Counts): ReportData['losses'] {
  const codes = [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    codes.map(([code, { count, example }]) => [code, { count, example: { ...example } }]),
  );
}

/** A total order, so that the result of merging does not depend on the order. */
function isEarlier(one: NoteCount['example'], other: NoteCount['example']): boolean {
  return one.row === other.row ? one.path < other.path : one.row < other.row;
}

export function joinReports(first: ReportData, second: ReportData, before = 0): ReportData {
  const report = new Report();
  report.merge(first);
  report.merge(second, before);
  return report.toJSON();
}
