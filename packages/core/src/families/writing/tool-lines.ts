import { type ExactValue, tryParseExact } from '../../model/index.js';

/** Reads what `writeToolLines` wrote; undefined if a line is no JSON. */
export function readToolLines(text: string): ExactValue[] | undefined {
  const tools = text.split('\n').map(tryParseExact);
  return tools.every((tool) => tool !== undefined) ? tools : undefined;
}

/** Reads one JSON list; undefined if the text is none. */
export function readToolList(text: string): ExactValue[] | undefined {
  const list = tryParseExact(text);
  return Array.isArray(list) ? list : undefined;
}
