// How each style writes values: the words for true, false and null, white space, keys and strings.

import { charsOf } from './char-ranges.js';
import { chars, choice, literal, type Node, optional, repeat, sequence } from './node.js';
import type { ValueStyle } from './spelling.js';
import { bareString, jsonString, pythonString, type StringStyle } from './string-rules.js';

export interface StyleSigns {
  true: string;
  false: string;
  null: string;
  /** White space that is allowed after `{`, `[`, `:` and `,`, and before `}` and `]`. */
  space: Node | undefined;
  string: StringStyle;
  /** Keys that are words are written without quotes. */
  bareKeys: boolean;
  /** Keys with a special spelling. */
  ownKeys?: ReadonlyMap<string, string>;
}

/** A space, or a line break with an indent of at most 40 characters: the white space that models usually write. */
export const whiteSpace: Node = optional(
  choice(literal(' '), sequence(literal('\n'), repeat(chars(charsOf(' \t')), 0, 40))),
);

const JSON_WORDS = { true: 'true', false: 'false', null: 'null' };
const PYTHON_WORDS = { true: 'True', false: 'False', null: 'None' };

/** As a plain key, `__proto__` would set the prototype in JavaScript. */
const JAVASCRIPT_KEYS = new Map([['__proto__', '["__proto__"]']]);

/** Gives the signs of a style. In the style `text`, nested values are JSON; only a whole value can be raw. */
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

/** Gives the words for a scalar alone between tags. */
export function wordsOf(style: ValueStyle): { true: string; false: string; null: string } {
  const python = style.type === 'python' || (style.type === 'text' && style.words === 'python');
  return python ? PYTHON_WORDS : JSON_WORDS;
}
