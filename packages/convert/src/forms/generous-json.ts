// Reads the JSON of published rows: strictly if that works, else with the repairs of text/, else as a Python literal.

import { type ExactValue, type RepairCode, readJson, readPythonLiteral } from '@dragoman/core/internal';
import { parseJson } from '../quick/plain-json.js';

export interface Generous {
  value: ExactValue;
  /** Each code once. */
  repairs: RepairCode[];
}

/** Reads the text; undefined if no way works. */
export function readGenerously(text: string): Generous | undefined {
  return readStrictly(text) ?? readRepaired(text) ?? readPython(text);
}

export function readStrictly(text: string): Generous | undefined {
  try {
    return { value: parseJson(text), repairs: [] };
  } catch {
    return undefined;
  }
}

function readRepaired(text: string): Generous | undefined {
  const read = readJson(text, { maxDepth: 500 });
  return read && toValue(read.json, new Set(read.repairs.map(({ code }) => code)));
}

function readPython(text: string): Generous | undefined {
  const read = readPythonLiteral(text, { maxDepth: 500 });
  if (!read.ok) return undefined;
  return toValue(read.json, new Set<RepairCode>(['python-literal', ...read.repairs.map(({ code }) => code)]));
}

function toValue(json: string, codes: ReadonlySet<RepairCode>): Generous | undefined {
  const read = readStrictly(json);
  return read && { value: read.value, repairs: [...codes] };
}
