// Converts rows from one form to another.

import type { Form, Note, Row, Transcript } from './form.js';
import { countCalls } from './losses.js';
import { renameTools } from './rename-tools.js';

export interface Converted {
  row: Row;
  notes: readonly Note[];
  /** How many calls the conversation holds. */
  calls: number;
}

export interface ConvertOptions {
  from: Form;
  to: Form;
  /** Members beside the conversation that are kept. Default: all. */
  keep?: readonly string[];
  /** Members beside the conversation that are dropped. */
  drop?: readonly string[];
  /**
   * Whether names of tools that an API would refuse are written with underscores, and noted. Default: they are kept.
   */
  renameTools?: boolean;
}

/** Converts a row. Throws a RowError if it cannot be converted. */
export type Convert = (row: Row) => Converted;

export function createConvert(options: ConvertOptions): Convert {
  const { from, to } = options;
  const passes = restFilter(options);
  return (row) => {
    const { notes: read, ...transcript } = from.read(row);
    const found = options.renameTools ? [...read] : read;
    if (options.renameTools) transcript.conversation = renameTools(transcript.conversation, found as Note[]);
    const { row: written, notes } = to.write(
      passes === undefined ? transcript : filtered(transcript, passes),
    );
    return {
      row: written,
      notes: found.length === 0 ? notes : [...found, ...notes],
      calls: countCalls(transcript.conversation),
    };
  };
}

type Passes = (key: string) => boolean;

function restFilter({ keep, drop }: ConvertOptions): Passes | undefined {
  if (keep === undefined && drop === undefined) return undefined;
  const kept = keep && new Set(keep);
  const dropped = new Set(drop);
  return (key) => (kept === undefined || kept.has(key)) && !dropped.has(key);
}

function filtered(transcript: Transcript, passes: Passes): Transcript {
  return { ...transcript, rest: transcript.rest.filter(([key]) => passes(key)) };
}
