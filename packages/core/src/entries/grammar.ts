// @dragoman/core/grammar: the calls of a dialect as a grammar for a sampler.

import { all } from '../dialects/all.js';
import type { Dialect } from '../engine/dialect.js';
import { constrain as constrainBy } from '../families/constrain.js';
import type { ConstrainOptions, Constraint } from '../grammar/constrain.js';
import { acceptTools, type ToolChoice } from '../model/index.js';

/** A grammar that holds a sampler to calls of these tools, for one of the engines that take one. */
export function constrain(
  dialect: Dialect | string,
  tools: unknown,
  choice: ToolChoice,
  options: ConstrainOptions,
): Constraint {
  const found = typeof dialect === 'string' ? all.find(dialect) : dialect;
  return constrainBy(found, acceptTools(tools), choice, options);
}

export {
  type ConstrainOptions,
  type Constraint,
  GRAMMAR_FORMATS,
  type GrammarFormat,
  type Limit as GrammarLimit,
} from '../grammar/constrain.js';
