// Converts rows from one form to another, as values or as lines of JSON.
//
// JavaScript's own JSON is used wherever it is exact (plain-json.ts checks that); else the exact parser and writer,
// which are slower and give the same bytes.

import { parseJson, writeJson } from '../quick/plain-json.js';
import type { ScoredOutput } from '../score/tally.js';
import { nullArguments } from '../train/null-arguments.js';
import { noteDuplicateKeys } from './duplicate-keys.js';
import { type Form, type Note, type Row, RowError, wrongRow } from './form.js';
import { countCalls } from './losses.js';
import { isRow } from './members.js';
import { renameTools } from './rename-tools.js';

export interface Converted {
  row: Row;
  /** Further rows, where one conversation becomes several samples. */
  more?: readonly Row[];
  notes: readonly Note[];
  /** How many calls the conversation holds. */
  calls: number;
}

export interface ConvertOptions {
  from: Form;
  to: Form;
  /** Members beside the conversation that are kept. Default: all. */
  keep?: readonly string[] | undefined;
  /** Members beside the conversation that are dropped. */
  drop?: readonly string[] | undefined;
  /**
   * Whether names of tools that an API would refuse are written with underscores, and noted. Default: they are kept.
   */
  renameTools?: boolean | undefined;
  /** Whether keys that a table added to arguments and tools, with null, are removed. Default: they are noted. */
  dropNullArguments?: boolean | undefined;
}

/** Converts a row. Throws a RowError if it cannot be converted. `text`: the line that it was parsed from. */
export type Convert = (row: Row, text?: string) => Converted;

export function createConvert(options: ConvertOptions): Convert {
  const { from, to } = options;
  const passes = restFilter(options);
  return (row, text) => {
    const { notes: read, ...transcript } = from.read(row);
    const damage: Note[] = [];
    noteDuplicateKeys(transcript.conversation, { row, text }, read, damage);
    transcript.conversation = nullArguments(
      transcript.conversation,
      options.dropNullArguments ?? false,
      damage,
    );
    const found = options.renameTools || damage.length > 0 ? [...read, ...damage] : read;
    if (options.renameTools) transcript.conversation = renameTools(transcript.conversation, found as Note[]);
    if (passes) transcript.rest = transcript.rest.filter(([key]) => passes(key));
    const { row: written, more, notes } = to.write(transcript);
    return {
      row: written,
      ...(more && { more }),
      notes: found.length === 0 ? notes : [...found, ...notes],
      calls: countCalls(transcript.conversation),
    };
  };
}

function restFilter({ keep, drop }: ConvertOptions): ((key: string) => boolean) | undefined {
  if (keep === undefined && drop === undefined) return undefined;
  const kept = keep && new Set(keep);
  const dropped = new Set(drop);
  return (key) => (kept === undefined || kept.has(key)) && !dropped.has(key);
}

export interface ConvertedLine extends Omit<Converted, 'row' | 'more'> {
  /** The line without a line break; several lines, with breaks between them, for a conversation of several samples. */
  text: string;
  /** Of a line that is scored. */
  outputs?: readonly ScoredOutput[];
}

/** Converts a line. Throws a RowError if it is no JSON object, or cannot be converted. */
export type ConvertLine = (text: string) => ConvertedLine;

export function createConvertLine(options: ConvertOptions): ConvertLine {
  const convert = createConvert(options);
  return (text) => {
    const { row, more, ...converted } = convert(parseRow(text), text);
    const first = writeJson(row);
    return { text: more ? [first, ...more.map(writeJson)].join('\n') : first, ...converted };
  };
}

/** Parses a line of JSON exactly. Throws a RowError. */
export function parseRow(text: string): Row {
  try {
    const value = parseJson(text);
    if (isRow(value)) return value;
    throw wrongRow('', 'a JSON object', value);
  } catch (error) {
    throw error instanceof SyntaxError ? new RowError('', error.message) : error;
  }
}
