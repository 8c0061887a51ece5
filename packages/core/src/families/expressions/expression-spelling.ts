// Grammar rules for call expressions: what `expression-text.ts` writes, by the tools' schemas.

import type { ExpressionCalls } from '../../engine/declaration.js';
import type { MarkerSet } from '../../engine/markers.js';
import {
  all,
  any,
  argumentMembers,
  argumentsValue,
  many,
  type Rule,
  type Spelling,
  text,
  type ValueStyle,
} from '../../grammar/spelling.js';
import { isObject, type Tool } from '../../model/index.js';
import type { OptionalSchema } from '../../schema/schema.js';
import { listOf } from '../declared/family.js';
import { framesOf, isArgumentName, toPython } from './expression-text.js';

export function expressionSpelling(calls: ExpressionCalls, markers: MarkerSet): Spelling {
  const { before, between, behind } = framesOf(calls);
  return {
    triggers: listOf(calls.open).slice(0, 1),
    calls: (tools, howMany) => {
      const each = any(...tools.map((tool) => callRule(tool, calls, markers)));
      return all(text(before), many(each, howMany, text(between)), text(behind));
    },
  };
}

function callRule(
  tool: Tool,
  { style, prefix = '', quote = '"' }: ExpressionCalls,
  markers: MarkerSet,
): Rule {
  const head = `${prefix}${tool.name}`;
  const without = markers.literals;
  if (style === 'braces') return all(text(head), argumentsValue(tool, { type: 'braces', quote, without }));
  return all(text(`${head}(`), pythonArguments(tool, { type: 'python', without }), text(')'));
}

/**
 * Gives the rule of the arguments: each is `key=value`. A key that is no name is written as `**{"key": value}`, and so
 * are all arguments of a tool whose schema names none.
 */
function pythonArguments(tool: Tool, style: ValueStyle): Rule {
  const each = (key: string, schema: OptionalSchema, root: OptionalSchema): Rule => {
    const value: Rule = { type: 'value', schema, root, style };
    if (isArgumentName(key)) return all(text(`${key}=`), value);
    return all(text(`**{${toPython(key)}: `), value, text('}'));
  };
  const more = (schema: OptionalSchema): Rule =>
    all(text('**'), {
      type: 'value',
      schema: { type: 'object', ...(schema !== undefined && { additionalProperties: schema }) },
      style,
    });
  return argumentMembers(tool, each, text(', '), namesSome(tool) ? undefined : more);
}

function namesSome({ parameters }: Tool): boolean {
  return (
    isObject(parameters) && isObject(parameters.properties) && Object.keys(parameters.properties).length > 0
  );
}
