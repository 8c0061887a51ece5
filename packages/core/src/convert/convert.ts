// From one form to another, a row at a time.

import type { Form, Note, Row } from './form.js';

export interface Converted {
  row: Row;
  notes: readonly Note[];
  /** How many calls the conversation holds. */
  calls: number;
}

export interface ConvertOptions {
  from: Form;
  to: Form;
  /** Members beside the conversation that are passed on. Default: all. */
  keep?: readonly string[];
  /** Members beside the conversation that are left out. */
  drop?: readonly string[];
}

/** Throws a RowError for a row that cannot be converted. */
export type Convert = (row: Row) => Converted;
