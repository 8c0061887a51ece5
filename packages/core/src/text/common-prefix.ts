import { isHighSurrogate } from './characters.js';

/** Gives the length of what both texts begin with. No pair of surrogates is torn apart. */
export function commonPrefix(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  const last = one.charCodeAt(at - 1);
  return at > 0 && at < one.length && isHighSurrogate(last) ? at - 1 : at;
}
