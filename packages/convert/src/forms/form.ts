// What a form of transcripts is: a row of a file read into a conversation, and a conversation written as a row.
// Pure: no files, no clock. Who reads files and uses cores stands outside of core.

import type { Conversation, ExactObject, ExactValue } from '@dragoman/core/internal';
import type { NoteCode } from './codes.js';

/** One row: the object of a JSON line, or of a row of a table, exact. */
export type Row = ExactObject;

export interface Form {
  /** As it is named on a command line: `openai`, `anthropic`, `sharegpt`, `toolace`, `glaive`, `messages`, `prompt`. */
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  /** Its rows are text in a dialect, so one has to be named. */
  readonly needsDialect: boolean;
  /** Throws a RowError. What was read generously is in `notes`. */
  read(row: Row): ReadTranscript;
  /** Throws a RowError where nothing can be said at all. What could not be said is in `notes`. */
  write(transcript: Transcript): WrittenRow;
}

export interface Transcript {
  conversation: Conversation;
  /** The members of the row that are no part of the conversation, in their order: passed on as they are. */
  rest: readonly (readonly [key: string, value: ExactValue])[];
  /** All keys of the row it was read from, in their order, so that what is said again stands where it stood. */
  order?: readonly string[];
  /**
   * The name of the form that read it. Only this form understands the `extra` in the conversation and writes it
   * again. To every other form it is a loss (`extra`), unless it is null or a note of ours (`dragoman:…`).
   */
  form?: string;
}

export interface ReadTranscript extends Transcript {
  notes: readonly Note[];
}

export interface WrittenRow {
  row: Row;
  notes: readonly Note[];
}

/**
 * Something that a report must tell, so that nothing is lost in silence. `repair`: read generously; `issue`: wrong in
 * the source, kept as it could be; `loss`: the target cannot say it. The codes are explained in codes.ts.
 */
export type Note = NoteCode & {
  /**
   * Of repairs and issues: where in the row, `messages[3].tool_calls[0].id`. Of losses: where in the conversation,
   * `messages[3].parts[1]`, `tools[0]`, `toolChoice`, or the key of a rest member.
   */
  path: string;
};

/** The row cannot be read, or cannot be said. */
export class RowError extends Error {
  override readonly name = 'RowError';

  constructor(
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}
