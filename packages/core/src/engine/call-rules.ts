// How the calls of a dialect are spelled, as rules for a sampler: the types. A dialect holds the declaration of its family,
// which families/constrain.ts turns into a `Spelling`, or a `Spelling` of its own; grammar/constrain.ts prints that for a
// sampling engine. A declaration is data: a page that never asks for a grammar does not load what interprets it.

import type { JsonSchema, Tool } from '../model/index.js';
import type { CallsDeclaration, TaggedCalls } from './declaration.js';

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
export type SamplingRules = Exclude<CallsDeclaration, TaggedCalls> | TaggedSampling | Spelling;

/** Tagged arguments as they are written, where the declaration of the family does not say enough. */
export interface TaggedSampling extends TaggedCalls {
  /** How scalars that are no numbers are written. Default JSON's. */
  words?: 'json' | 'python';
  /** The attribute that says whether a value is a string: `string="true"`. */
  typed?: boolean;
  /** Without arguments the call's element holds an empty line. */
  emptyLine?: boolean;
}

/** The calls as rules. */
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
