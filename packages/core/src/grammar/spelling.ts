// The rules of how calls are spelled, from which a sampling grammar is made. A dialect defines them once; `constrain`
// prints them as GBNF, Lark, a structural tag or JSON Schema (see constrain.ts).
//
//   all(text('<tool_call>\n{"name": "f", "arguments": '), value(schema, { type: 'json' }), text('}\n</tool_call>'))
//
// The texts are those that the dialect's renderer writes, without what the reader would accept as a repair.

import type { HowMany, Rule, Spelling, ValueStyle } from '../engine/call-rules.js';
import type { Tool } from '../model/index.js';
import type { OptionalSchema } from '../schema/schema.js';
import { type ObjectShape, shapeOf } from './object-shape.js';

export type { HowMany, Rule, Spelling, ValueStyle } from '../engine/call-rules.js';

export const text = (value: string): Rule => ({ type: 'text', text: value });
export const all = (...of: Rule[]): Rule => ({ type: 'all', of });
export const any = (...of: Rule[]): Rule => ({ type: 'any', of });
export const raw = (without: readonly string[]): Rule => ({ type: 'raw', without });

/** Repeats a rule `howMany` times, with `between` as the separator. */
export const many = (of: Rule, howMany: HowMany, between?: Rule): Rule => ({
  type: 'many',
  of,
  from: howMany.from,
  ...(howMany.to !== undefined && { to: howMany.to }),
  ...(between && { between }),
});

/** Gives the arguments of a tool as one value: an object by its schema. A tool without a schema takes any object. */
export const argumentsValue = (tool: Tool, style: ValueStyle = { type: 'json' }): Rule => ({
  type: 'value',
  schema: tool.parameters ?? { type: 'object' },
  root: tool.parameters,
  style,
});

/** Gives the calls of a `Spelling` where each is a text, its arguments as JSON without these strings, and a text. */
export function callEach(
  frame: (tool: Tool) => [open: string, close: string],
  without: readonly string[],
  between?: string,
): Spelling['calls'] {
  const callRule = (tool: Tool) => {
    const [open, close] = frame(tool);
    return all(text(open), argumentsValue(tool, { type: 'json', without }), text(close));
  };
  return (tools, howMany) =>
    many(any(...tools.map(callRule)), howMany, between === undefined ? undefined : text(between));
}

/**
 * Gives the arguments of a tool one by one, in the order of its schema. `each` makes the rule of one argument. `more`
 * makes the rule of a key that the schema does not name, if the schema has no `properties` or allows others with
 * `additionalProperties`; without `more` no other keys are written.
 */
export function argumentMembers(
  tool: Tool,
  each: (key: string, schema: OptionalSchema, root: OptionalSchema) => Rule,
  between?: Rule,
  more?: (schema: OptionalSchema) => Rule,
): Rule {
  const root = tool.parameters;
  const shape: ObjectShape = shapeOf(root ?? { type: 'object' }, root);
  const of = shape.members.map(({ key, schema, required }) => ({ rule: each(key, schema, root), required }));
  const open = shape.additional !== false;
  const members: Rule = {
    type: 'members',
    of,
    ...(between && { between }),
    ...(open && more && { more: more(shape.additional === true ? undefined : shape.additional) }),
  };
  if (!open || more) return members;
  return { type: 'limit', of: members, message: 'arguments that the schema does not name are not written' };
}
