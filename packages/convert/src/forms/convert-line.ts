// Converts a line of JSON to a line of JSON.
//
// JavaScript's own JSON is used wherever it is exact (plain-json.ts checks that); else the exact parser and writer,
// which are slower and give the same bytes.

import { parseJson, writeJson } from '../quick/plain-json.js';
import { type ConvertOptions, createConvert } from './convert.js';
import { type Note, type Row, RowError } from './form.js';
import { isRow } from './members.js';
import { wrongRow } from './row-fault.js';

export interface ConvertedLine {
  /** The line without a line break. */
  text: string;
  notes: readonly Note[];
  /** How many calls the conversation holds. */
  calls: number;
}

/** Converts a line. Throws a RowError if it is no JSON object, or cannot be converted. */
export type ConvertLine = (text: string) => ConvertedLine;

export function createConvertLine(options: ConvertOptions): ConvertLine {
  const convert = createConvert(options);
  return (text) => {
    const { row, notes, calls } = convert(parseRow(text));
    return { text: writeJson(row), notes, calls };
  };
}

/** Parses a line of JSON exactly. Throws a RowError. */
export function parseRow(text: string): Row {
  const value = parsed(text);
  if (isRow(value)) return value;
  throw wrongRow('', 'a JSON object', value);
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new RowError('', error.message);
    throw error;
  }
}
