// Tools of a request whose list came before, in another request of the same client: they are decoded once.

import { isConstant, makeConstant } from '../model/constants.js';
import type { Tool } from '../model/index.js';
import { settleTools } from '../model/prepared-tools.js';
import { sameJson } from './same-json.js';

/** The list that repeated tools were decoded from. */
const lists = new WeakMap<readonly Tool[], unknown[]>();

/** Prepares tools that were decoded from a repeated list. Those of any other stay as they are: callers may change them. */
export function preparedFrom<D extends { tools: readonly Tool[] }>(list: unknown[], decoded: D): D {
  if (!isConstant(list)) return decoded;
  lists.set(settleTools(decoded.tools), list);
  return decoded;
}

/** Gives the list that the tools were decoded from, if `written` equals it: comparing an object with itself is free. */
export function asListed(tools: readonly Tool[], written: unknown[]): unknown[] {
  const list = lists.get(tools);
  return list && sameJson(list, written) ? list : keptFor(tools, written);
}

/** Freezes what is kept for constant tools: every later request shares it. */
export function keptFor(tools: readonly Tool[], written: unknown[]): unknown[] {
  return isConstant(tools) ? makeConstant(written) : written;
}
