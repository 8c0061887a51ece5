// A form of transcripts: it reads a row of a file into a conversation, and writes a conversation as a row. Pure: no
// files, no clock; files/ and queue/ have those.

import type { Conversation, ExactObject, ExactValue } from '@dragoman/core/internal';
import { notExpected, UsageError } from '@dragoman/core/internal';
import type { NoteCode } from './codes.js';

/** One row: the object of a JSON line, or of a table's row, exact. */
export type Row = ExactObject;

export interface Form {
  /** Its name on the command line: `openai`, `anthropic`, `sharegpt`, `toolace`, `glaive`, `messages`, `prompt`. */
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  /** Whether its rows are text in a dialect, which must be given. */
  readonly needsDialect: boolean;
  /** Reads a row. Throws a RowError. Repairs and issues are in `notes`. */
  read(row: Row): ReadTranscript;
  /** Writes a row. Throws a RowError if nothing can be written at all. Losses are in `notes`. */
  write(transcript: Transcript): WrittenRow;
}

export interface Transcript {
  conversation: Conversation;
  /** The row's members that do not belong to the conversation, in their order: written unchanged. */
  rest: readonly (readonly [key: string, value: ExactValue])[];
  /** All keys of the source row, in their order, so that members keep their places. */
  order?: readonly string[];
  /**
   * The name of the form that read it. Only this form understands the `extra` in the conversation and writes it again.
   * For every other form it is a loss (`extra`), unless it is null or a note of ours (`dragoman:…`).
   */
  form?: string;
}

export interface ReadTranscript extends Transcript {
  notes: readonly Note[];
}

export interface WrittenRow {
  row: Row;
  /** Further rows, where one conversation becomes several samples. */
  more?: readonly Row[];
  notes: readonly Note[];
}

/**
 * An entry of the report, so that nothing is lost silently. `repair`: a fault of the row that was corrected on reading;
 * `issue`: a fault of the source that was kept as well as possible; `loss`: the target form cannot express it. codes.ts
 * explains the codes.
 */
export type Note = NoteCode & {
  /**
   * For repairs and issues the path in the row, `messages[3].tool_calls[0].id`. For losses the path in the
   * conversation, `messages[3].parts[1]`, `tools[0]`, `toolChoice`, or the key of a rest member.
   */
  path: string;
};

/** A row cannot be read, or cannot be written. */
export class RowError extends Error {
  override readonly name = 'RowError';

  constructor(
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}

/** Makes the error 'expected …, found …' at a path. */
export function wrongRow(path: string, expected: string, found: unknown): RowError {
  return toRowError(notExpected(path, expected, found));
}

/** Rethrows a UsageError of the model's validation as a RowError. */
export function inRow<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof UsageError ? toRowError(error) : error;
  }
}

function toRowError({ code, path = '', message }: UsageError): RowError {
  const remedy =
    code === 'bad-tool-name'
      ? '. Names can be written with underscores: --rename-tools, or `renameTools`'
      : '';
  return new RowError(path, message + remedy);
}
