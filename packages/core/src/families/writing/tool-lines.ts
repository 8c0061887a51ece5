import { type ExactValue, tryParseExact } from '../../model/index.js';

/** What `writeToolLines` wrote; undefined where a line is no JSON. */
export function readToolLines(text: string): ExactValue[] | undefined {
  const tools = text.split('\n').map(tryParseExact);
  return tools.every((tool) => tool !== undefined) ? tools : undefined;
}

/** One list in JSON; undefined where it is none. */
export function readToolList(text: string): ExactValue[] | undefined {
  const list = tryParseExact(text);
  return Array.isArray(list) ? list : undefined;
}
