// Regexes that are linear by their shape, so that no analysis need be run. Decided surely or not at all: whatever is
// not understood here is left to the analysis.

/** How many ways optional parts and alternatives may come to: each of them doubles. */
const MAX_WAYS = 64;

const PROPERTY = /\\[pP]\{[^}]*\}/g;
const TOKEN = /\\.|\[(?:\\.|[^\]\\])*\]|\(\?[:=!]|./gsu;
const COUNT = /^\{\d+(?:,\d*)?\}/;

/**
 * Without a repetition a match takes so many steps at each place and no more. With one, of a single character, in a
 * regex that matches at one place alone (it begins with `^`, or is sticky), each length of it is tried once.
 */
export function isPlainRegex(source: string, flags: string): boolean {
  // References to groups, lookbehind and named groups, sets of sets: not for this.
  const simple = source.replace(PROPERTY, '.');
  if (/[vm]/.test(flags) || /\\[1-9kpP]|\(\?</.test(simple)) return false;
  const found = countsOf(simple);
  if (!found || found.ways > MAX_WAYS) return false;
  if (found.repeats === 0) return true;
  return found.repeats === 1 && found.ways === 1 && (source.startsWith('^') || flags.includes('y'));
}

/** Undefined where more than a single character is repeated. */
function countsOf(source: string): { repeats: number; ways: number } | undefined {
  let repeats = 0;
  let ways = 1;
  let before = '';
  for (const { 0: token, index } of source.matchAll(TOKEN)) {
    const isRepeat = '*+'.includes(token) || (token === '{' && COUNT.test(source.slice(index)));
    if (isRepeat && before.startsWith(')')) return undefined;
    if (isRepeat) repeats++;
    if (token === '?' || token === '|') ways *= 2;
    before = token;
  }
  return { repeats, ways };
}
