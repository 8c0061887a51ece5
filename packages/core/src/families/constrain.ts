// Makes grammars for samplers from the rules of a dialect: its own, or those of its family's declaration.

import type { Spelling } from '../engine/call-rules.js';
import type { Dialect } from '../engine/dialect.js';
import {
  type CallRules,
  type ConstrainOptions,
  type Constraint,
  callRules as callRulesOf,
  constrain as constrainTo,
} from '../grammar/constrain.js';
import { keptConstraint } from '../grammar/kept-constraints.js';
import type { HowMany } from '../grammar/spelling.js';
import type { Tool, ToolChoice } from '../model/index.js';
import { expressionSpelling } from './expressions/expression-spelling.js';
import { jsonSpelling } from './json/json-rules.js';
import { namedRules } from './named/named-rules.js';
import { taggedRules } from './tags/tagged-rules.js';

/**
 * Gives a grammar that limits a sampler to calls of these tools. It is made once for the same tool objects, so they must
 * not change. Throws a UsageError if the dialect has no rules.
 */
export function constrain(
  dialect: Dialect,
  tools: readonly Tool[],
  choice: ToolChoice,
  options: ConstrainOptions,
): Constraint {
  const make = () => constrainTo(dialect, samplingRules(dialect), tools, choice, options);
  return keptConstraint(dialect, tools, choice, options, make);
}

/** Gives the rules of the calls alone, which tests draw from and check against. */
export function callRules(dialect: Dialect, tools: readonly Tool[], howMany: HowMany): CallRules {
  return callRulesOf(dialect, samplingRules(dialect), tools, howMany);
}

/** Gives the rules of a dialect; undefined where its calls cannot be expressed as rules. */
export function samplingRules({ constrain: rules, markers }: Dialect): Spelling | undefined {
  if (!rules || !('family' in rules)) return rules;
  if (rules.family === 'json') return jsonSpelling(rules, markers);
  if (rules.family === 'named') return namedRules(rules, markers);
  return rules.family === 'tags' ? taggedRules(rules) : expressionSpelling(rules, markers);
}
