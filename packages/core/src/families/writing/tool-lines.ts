import { type ExactValue, parseExact } from '../../model/index.js';

/** What `writeToolLines` wrote; undefined where a line is no JSON. */
export function readToolLines(text: string): ExactValue[] | undefined {
  try {
    return text.split('\n').map(parseExact);
  } catch {
    return undefined;
  }
}

/** One list in JSON; undefined where it is none. */
export function readToolList(text: string): ExactValue[] | undefined {
  try {
    const list = parseExact(text);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}
