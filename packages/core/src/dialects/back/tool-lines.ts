import { type ExactValue, parseExact } from '../../model/index.js';

/** What `writeToolLines` wrote; undefined where a line is no JSON. */
export function readToolLines(text: string): ExactValue[] | undefined {
  try {
    return text.split('\n').map(parseExact);
  } catch {
    return undefined;
  }
}
