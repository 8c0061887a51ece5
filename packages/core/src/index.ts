// @dragoman/core: everything a user imports. Bundlers for browsers get browser.ts, which is this without what a page
// seldom needs.

import { type ConstrainOptions, type Constraint, constrain as constrainBy } from './codec/constrain.js';
import { type Detection, detectAmong, type Evidence } from './codec/detect.js';
import type { DialectLike } from './core.js';
import { findDialect, knownDialects } from './dialects/index.js';
import { acceptTools, type ToolChoice } from './model/index.js';

/** A grammar that holds a sampler to calls of these tools, for one of the engines that take one. */
export function constrain(
  dialect: DialectLike,
  tools: unknown,
  choice: ToolChoice,
  options: ConstrainOptions,
): Constraint {
  const found = typeof dialect === 'string' ? findDialect(dialect) : dialect;
  return constrainBy(found, acceptTools(tools), choice, options);
}

/** Which dialect a model speaks, by its name, its chat template or a sample, with a reason. Undefined: nothing tells. */
export function detect(evidence: Evidence): Detection | undefined {
  return detectAmong(knownDialects(), evidence);
}

export {
  type ConstrainOptions,
  type Constraint,
  GRAMMAR_FORMATS,
  type GrammarFormat,
  type Limit as GrammarLimit,
} from './codec/constrain.js';
export type { DialectDeclaration } from './codec/declaration.js';
export type { Detection, Evidence } from './codec/detect.js';
export * from './core.js';
export { dialectFrom as defineDialect } from './dialects/dialect-from.js';
export { dialects } from './dialects/index.js';
export { fromResponseTemplate } from './dialects/response-template.js';
