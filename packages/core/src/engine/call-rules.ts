// The types of the grammar rules for constrained sampling of a dialect's calls. A dialect has the declaration of its
// family, which families/constrain.ts turns into a `Spelling`, or a `Spelling` of its own; grammar/constrain.ts prints
// it for a sampling engine. A declaration is data, so a page without grammars does not load the code that reads it.

import type { JsonSchema, Tool } from '../model/index.js';
import type { CallsDeclaration, TaggedCalls } from './declaration.js';

export type Rule =
  | { type: 'text'; text: string }
  | { type: 'all'; of: readonly Rule[] }
  | { type: 'any'; of: readonly Rule[] }
  /** `between` is the separator between two of them. */
  | { type: 'many'; of: Rule; from: number; to?: number; between?: Rule }
  /** These in this order, where optional ones may be left out; then any number of `more`. */
  | { type: 'members'; of: readonly Member[]; between?: Rule; more?: Rule }
  /** A value that satisfies the schema; `root` is the document for its references. */
  | { type: 'value'; schema: JsonSchema | undefined; root?: JsonSchema | undefined; style: ValueStyle }
  /** Text without any of these strings: a raw value, which ends at its closer. `from`: its least length. */
  | { type: 'raw'; without: readonly string[]; from?: number }
  /** Matches as `of` does. `message` is a restriction that rules cannot express, which `constrain` reports. */
  | { type: 'limit'; of: Rule; message: string };

interface Member {
  rule: Rule;
  required: boolean;
}

/**
 * How values are written.
 *
 * - `json`: JSON. Its strings hold none of `without` (they may still be escaped, as `\u003c`).
 * - `python`: Python literals, strings in either quotes, with `without` as above.
 * - `javascript`: JSON with unquoted keys where they are identifiers.
 * - `braces`: JSON with unquoted keys and its own string delimiter; a string does not contain it and has no escapes.
 * - `text`: as between tags. A string is written unchanged and contains none of `without`; anything else is JSON, or
 *   with `words: 'python'` JSON whose scalars are True, False and None. `lines`: the reader drops a line break at
 *   either end of the value (`read`), or the carriage return before the line break that follows it (`written`).
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

/** What a dialect declares for constrained sampling. */
export type SamplingRules = Exclude<CallsDeclaration, TaggedCalls> | TaggedSampling | Spelling;

/** How tagged arguments are written, where the declaration of the family is not enough. */
export interface TaggedSampling extends TaggedCalls {
  /** How true, false and null are written. Default as in JSON. */
  words?: 'json' | 'python';
  /** A tag has an attribute that states whether the value is a string: `string="true"`. */
  typed?: boolean;
  /** The element of a call without arguments contains an empty line. */
  emptyLine?: boolean;
}

/** The calls as rules. */
export interface Spelling {
  /** Strings at which calls begin: a sampler that allows text switches to the grammar there. None: no marker. */
  triggers: readonly string[];
  /** A text that a trigger has before the calls: the header of a message behind another one. Only `auto` allows it. */
  lead?: string;
  /**
   * Gives texts at which a call begins where they are the first of an answer, or the first behind its reasoning: the
   * prompt, or the end of the reasoning, has the rest of the opener. They are beginnings of `calls`.
   */
  beginnings?(tools: readonly Tool[]): readonly string[];
  /** Gives the rule from the first opener to the last closer, with the tools' names and their schemas. */
  calls(tools: readonly Tool[], howMany: HowMany): Rule;
  /**
   * Gives the calls as the schema of one JSON document, where the calls may be the whole answer. `tool.parameters` is
   * inserted unchanged: its references stay relative to itself.
   */
  json?(tools: readonly Tool[], howMany: HowMany): JsonSchema;
}
