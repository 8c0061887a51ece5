// How calls are spelled, as rules: what a sampling grammar is made of. A dialect says it once; `constrain` writes it
// as GBNF, Lark, a structural tag or JSON Schema (see constrain.ts).
//
//   all(text('<tool_call>\n{"name": "f", "arguments": '), value(schema, { type: 'json' }), text('}\n</tool_call>'))
//
// The texts are those the dialect's own writer writes; what the reader would take generously is no part of them.

import type { JsonSchema, Tool } from '../model/index.js';
import { type ObjectShape, shapeOf } from './grammar/object-shape.js';

export type Rule =
  | { type: 'text'; text: string }
  | { type: 'all'; of: readonly Rule[] }
  | { type: 'any'; of: readonly Rule[] }
  /** `between` stands between two of them. */
  | { type: 'many'; of: Rule; from: number; to?: number; between?: Rule }
  /** These in this order, what is not required left out at will; then any number of `more`. */
  | { type: 'members'; of: readonly Member[]; between?: Rule; more?: Rule }
  /** A value that satisfies the schema; `root` is where its references are looked up. */
  | { type: 'value'; schema: JsonSchema | undefined; root?: JsonSchema | undefined; style: ValueStyle }
  /** Text that holds none of these strings: a raw value, which ends at its closer. `from`: how long at least. */
  | { type: 'raw'; without: readonly string[]; from?: number }
  /** What cannot be said in rules stands here, so that `constrain` can say it. Matches as `of` does. */
  | { type: 'limit'; of: Rule; message: string };

interface Member {
  rule: Rule;
  required: boolean;
}

/**
 * How values are written.
 *
 * - `json`: JSON. Its strings hold none of `without` (they may still be escaped, as `\u003c`).
 * - `python`: Python's literals, strings in either quotes, with `without` as above.
 * - `javascript`: JSON whose keys stand without quotes where they are names.
 * - `braces`: JSON with bare keys and its own quotes; a string holds no quote, and has no escapes.
 * - `text`: as between tags. A string stands as it is and holds none of `without`; anything else is JSON, or with
 *   `words: 'python'` JSON whose scalars are True, False and None. `lines`: a line break at either end of it is the
 *   reader's to drop (`read`), or the carriage return before the break that stands behind it (`written`).
 */
export type ValueStyle =
  | { type: 'json'; without?: readonly string[] }
  | { type: 'python'; without?: readonly string[] }
  | { type: 'javascript'; without?: readonly string[] }
  | { type: 'braces'; quote: string; without?: readonly string[] }
  | {
      type: 'text';
      without: readonly string[];
      words?: 'json' | 'python';
      lines?: 'written' | 'read' | undefined;
    };

export interface HowMany {
  from: number;
  /** Absent: any number. */
  to?: number;
}

/** What a dialect gives so that a sampler can be held to it. */
export interface Spelling {
  /** Where calls begin: a sampler that lets text pass wakes at one of these. None: the dialect has no marker. */
  triggers: readonly string[];
  /** From the first opener to the last closer. Every tool by name; arguments by its schema. */
  calls(tools: readonly Tool[], howMany: HowMany): Rule;
  /**
   * The same as the schema of one JSON document, where an answer may be nothing else. `tool.parameters` is put in as
   * it is: its references stay its own.
   */
  json?(tools: readonly Tool[], howMany: HowMany): JsonSchema;
}

export const text = (value: string): Rule => ({ type: 'text', text: value });
export const all = (...of: Rule[]): Rule => ({ type: 'all', of });
export const any = (...of: Rule[]): Rule => ({ type: 'any', of });
export const raw = (without: readonly string[]): Rule => ({ type: 'raw', without });

/** So many of them, with something between. */
export const many = (of: Rule, howMany: HowMany, between?: Rule): Rule => ({
  type: 'many',
  of,
  from: howMany.from,
  ...(howMany.to !== undefined && { to: howMany.to }),
  ...(between && { between }),
});

/** The arguments of a tool, as a value: an object by its schema. A tool without a schema takes any object. */
export const argumentsValue = (tool: Tool, style: ValueStyle = { type: 'json' }): Rule => ({
  type: 'value',
  schema: tool.parameters ?? { type: 'object' },
  root: tool.parameters,
  style,
});

/**
 * The arguments of a tool, one by one, in the order of its schema: `each` spells one, with a value of the style
 * that its place wants. Keys the schema does not name are written only if `more` says how, and the tool names none
 * at all (or allows others with `additionalProperties`).
 */
export function argumentMembers(
  tool: Tool,
  each: (key: string, schema: JsonSchema | undefined, root: JsonSchema | undefined) => Rule,
  between?: Rule,
  more?: (schema: JsonSchema | undefined) => Rule,
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
