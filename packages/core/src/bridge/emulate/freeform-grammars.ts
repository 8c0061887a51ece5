// The grammars of freeform tools, for a model that only writes text: a regular expression may become a sampling rule of
// the argument; every other grammar stands in the prompt alone, and the report lists its tool.

import type { Dialect } from '../../engine/dialect.js';
import { constrain } from '../../families/constrain.js';
import type { Constraint } from '../../grammar/constrain.js';
import { isConstant, markConstant, onceConstant } from '../../model/constants.js';
import { isObject, type ModelRequest, type Tool, UsageError } from '../../model/index.js';
import type { Upstream } from '../upstream/upstream.js';

/** Gives the freeform tools whose grammar no sampling rule enforces. */
export function taughtGrammars(request: ModelRequest, upstream: Upstream, dialect?: Dialect): string[] {
  const { tools, toolChoice } = request.conversation;
  const strict = tools.filter(({ freeform }) => freeform?.grammar !== undefined);
  if (strict.length === 0 || toolChoice === 'none') return [];
  if (!dialect) return upstream.freeform ? [] : strict.map(({ name }) => name);
  const held = strict.some(isRegex) ? constraintOf(request, upstream, dialect) : undefined;
  return strict.filter((tool) => !isRegex(tool) || !holds(held, tool)).map(({ name }) => name);
}

function constraintOf(
  { conversation: { tools, toolChoice } }: ModelRequest,
  { grammar: format }: Upstream,
  dialect: Dialect,
): Constraint | undefined {
  try {
    return format && constrain(dialect, withPatterns(tools), toolChoice, { format });
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

function holds(constraint: Constraint | undefined, { name }: Tool): boolean {
  if (constraint?.grammar === undefined) return false;
  return !constraint.limits.some(({ path, keyword }) => keyword === 'pattern' && path.startsWith(name));
}

function isRegex({ freeform }: Tool): boolean {
  return freeform?.grammar?.syntax === 'regex';
}

/** Gives the tools with the regular expressions of freeform ones as the `pattern` of their argument. */
export function withPatterns(tools: readonly Tool[]): readonly Tool[] {
  return tools.some(isRegex) ? tools.map((tool) => patterned(tool)) : tools;
}

/** The same tool for the same constant, and a constant itself: the grammar of the tools is found again by it. */
const patterned = onceConstant((tool: Tool): Tool => {
  const made = withPattern(tool);
  return isConstant(tool) ? markConstant(made) : made;
});

function withPattern(tool: Tool): Tool {
  const { freeform, parameters } = tool;
  const properties = isObject(parameters) ? parameters.properties : undefined;
  if (!isRegex(tool) || !isObject(parameters) || !isObject(properties)) return tool;
  const pattern = anchored(freeform?.grammar?.definition ?? '');
  const input = Object.entries(properties).map(([key, schema]) => [
    key,
    isObject(schema) ? { ...schema, pattern } : schema,
  ]);
  return { ...tool, parameters: { ...parameters, properties: Object.fromEntries(input) } };
}

/** The whole text must match, unlike with a `pattern`. */
function anchored(definition: string): string {
  return definition.startsWith('^') && definition.endsWith('$') ? definition : `^(?:${definition})$`;
}
