// How calls are spelled, as rules: what a sampling grammar is made of. A dialect says it once; `constrain` writes it
// as GBNF, Lark, a structural tag or JSON Schema (see constrain.ts).

import type { JsonSchema, Tool } from '../model/index.js';

export type Rule =
  | { type: 'text'; text: string }
  | { type: 'all'; of: readonly Rule[] }
  | { type: 'any'; of: readonly Rule[] }
  | { type: 'many'; of: Rule; from: number; to?: number; between?: Rule }
  /** A value that satisfies the schema; `root` is where its references are looked up. */
  | { type: 'value'; schema: JsonSchema | undefined; root?: JsonSchema | undefined; style: ValueStyle }
  /** Text that holds none of these strings: a raw value, which ends at its closer. */
  | { type: 'raw'; without: readonly string[] };

/** How values are written. `json` and `python` are those; `braces` is JSON with bare keys and its own quotes. */
export type ValueStyle = { type: 'json' } | { type: 'python' } | { type: 'braces'; quote: string };

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
}

export const text = (value: string): Rule => ({ type: 'text', text: value });
export const all = (...of: Rule[]): Rule => ({ type: 'all', of });
export const any = (...of: Rule[]): Rule => ({ type: 'any', of });
