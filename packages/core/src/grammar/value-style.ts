// How values are put together in each style: the words, the signs, and what a string looks like.

import { charsOf } from './char-ranges.js';
import { chars, choice, literal, type Node, optional, repeat, sequence } from './node.js';
import type { ValueStyle } from './spelling.js';
import { bareString, jsonString, pythonString, type StringStyle } from './string-rules.js';

export interface StyleSigns {
  true: string;
  false: string;
  null: string;
  /** White space that may stand behind `{`, `[`, `:` and `,`, and before `}` and `]`. */
  space: Node | undefined;
  string: StringStyle;
  /** Keys stand without quotes, where they are words. */
  bareKeys: boolean;
  /** Keys that are spelled in a way of their own. */
  ownKeys?: ReadonlyMap<string, string>;
}

/** A space, or a line break with an indent: what people and models write, and no more than that. */
export const whiteSpace: Node = optional(
  choice(literal(' '), sequence(literal('\n'), repeat(chars(charsOf(' \t')), 0, 40))),
);

const JSON_WORDS = { true: 'true', false: 'false', null: 'null' };
const PYTHON_WORDS = { true: 'True', false: 'False', null: 'None' };

/** As a plain key it would set the prototype. */
const JAVASCRIPT_KEYS = new Map([['__proto__', '["__proto__"]']]);

/** `text` is JSON inside: only a whole value can be raw. */
export function signsOf(style: ValueStyle, space: Node): StyleSigns {
  const without = style.without ?? [];
  if (style.type === 'python')
    return { ...PYTHON_WORDS, space, string: pythonString(without), bareKeys: false };
  if (style.type === 'braces')
    return { ...JSON_WORDS, space: undefined, string: bareString(style.quote, without), bareKeys: true };
  const string = jsonString(without);
  if (style.type === 'javascript')
    return { ...JSON_WORDS, space, string, bareKeys: true, ownKeys: JAVASCRIPT_KEYS };
  return { ...JSON_WORDS, space, string, bareKeys: false };
}

/** The words of a value that stands alone between tags. */
export function wordsOf(style: ValueStyle): { true: string; false: string; null: string } {
  const python = style.type === 'python' || (style.type === 'text' && style.words === 'python');
  return python ? PYTHON_WORDS : JSON_WORDS;
}
