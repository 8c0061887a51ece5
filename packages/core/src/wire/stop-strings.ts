// The limits of the strings at which a client wants an answer to end: each character of an answer is compared with all.

import { badRequest } from './members.js';

const MOST = 32;
const MOST_CHARACTERS = 16 * 1024;

/** Gives these strings, if they are not too many and not too long. */
export function limitStops(stops: string[] | undefined, path: string): string[] | undefined {
  if (!stops) return stops;
  const { length } = stops.join('');
  if (stops.length <= MOST && length <= MOST_CHARACTERS) return stops;
  const found = `${stops.length} of ${length}: send fewer or shorter`;
  throw badRequest(
    path,
    `expected at most ${MOST} strings of ${MOST_CHARACTERS} characters together, found ${found}`,
  );
}
