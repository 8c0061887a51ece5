// Keeps the grammars of accepted tools for as long as the tools live: an agent sends the same tools at every step, and
// the grammar of sixty tools takes milliseconds. Tools are found again by identity: only those that cannot change.

import type { Dialect } from '../engine/dialect.js';
import { isConstant, makeConstant } from '../model/constants.js';
import { type Tool, type ToolChoice, UsageError } from '../model/index.js';
import { sameItems } from '../model/map-same.js';
import type { ConstrainOptions, Constraint } from './constrain.js';

interface Kept {
  tools: readonly Tool[];
  dialect: Dialect;
  key: string;
  /** An error is kept, too: it comes after most of the work. */
  result: Constraint | UsageError;
}

/** The most grammars that are kept: an agent needs one, or two where the tool choice changes. */
const MOST = 4;

/** The grammars by the first of their tools. */
const kept = new WeakMap<Tool, Kept[]>();

/** Gives the grammar of these tools; for prepared ones it is made on first use, and deeply frozen. */
export function keptConstraint(
  dialect: Dialect,
  tools: readonly Tool[],
  choice: ToolChoice,
  options: ConstrainOptions,
  make: () => Constraint,
): Constraint {
  const [first] = tools;
  // The grammar of one tool is made quickly, and there may be as many of them as there are tools.
  if (!first || typeof choice !== 'string' || !tools.every(isConstant)) return make();
  const key = keyOf(choice, options);
  const list = kept.get(first) ?? [];
  const known = list.find((one) => one.dialect === dialect && one.key === key && sameItems(one.tools, tools));
  const result = known?.result ?? attempt(make);
  if (!known) kept.set(first, [{ tools: [...tools], dialect, key, result }, ...list.slice(0, MOST - 1)]);
  if (result instanceof UsageError) throw result;
  return result;
}

function keyOf(choice: string, { format, parallel = true, reasoning, specialTokens = [] }: ConstrainOptions) {
  return JSON.stringify([choice, format, parallel, reasoning ?? 'no', specialTokens]);
}

function attempt(make: () => Constraint): Constraint | UsageError {
  try {
    // Several callers get it.
    return makeConstant(make());
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}
