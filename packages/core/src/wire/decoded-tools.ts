// Tools of a request whose list came before, in another request of the same client: they are decoded once.

import { isConstant, makeConstant } from '../model/constants.js';
import type { JsonValue, Tool } from '../model/index.js';
import { plainPython } from '../model/plain-json.js';
import { settleTools } from '../model/prepared-tools.js';
import { type KeptTexts, kept } from '../model/stringify-json.js';
import { sameJson } from './same-json.js';

/** The list that repeated tools were decoded from. */
const lists = new WeakMap<readonly Tool[], unknown[]>();

/** Prepares tools that were decoded from a repeated list. Those of any other stay as they are: callers may change them. */
export function preparedFrom<D extends { tools: readonly Tool[] }>(list: unknown[], decoded: D): D {
  if (!isConstant(list)) return decoded;
  lists.set(settleTools(decoded.tools), list);
  return decoded;
}

const verbatim = new WeakMap<readonly Tool[], unknown[]>();

/** Prepares tools whose definitions are their sources, so that the list that they came in is written again as it is. */
export function preparedAs(list: unknown[], tools: readonly Tool[]): void {
  for (const { source } of tools)
    if (source !== undefined) kept.set(source as object, new PlainTexts(source as JsonValue));
  lists.set(settleTools(tools), list);
  verbatim.set(tools, list);
}

/** The texts of a plain value. What was written once is not kept: most sessions are short. */
class PlainTexts implements KeptTexts {
  #written = false;
  #python: string | undefined;

  constructor(readonly value: JsonValue) {}

  get python(): string {
    const text = this.#python ?? plainPython(this.value);
    if (this.#written) this.#python = text;
    this.#written = true;
    return text;
  }
}

/** Gives the list that the tools came in, if it is known to be what would be written. */
export function listOf(tools: readonly Tool[]): unknown[] | undefined {
  return verbatim.get(tools);
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
