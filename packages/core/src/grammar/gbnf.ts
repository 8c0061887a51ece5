// Prints GBNF, the grammar language of llama.cpp; xgrammar's EBNF is the same language.
//
//   root ::= "<tool_call>\n{\"name\": " …
//   space ::= (" " | "\n" [ \t]{0,40})?

import type { CharRanges, Node, Rules } from './node.js';

/** Prints the root, and every rule that a printed rule names. */
export function toGbnf({ rules, root }: Rules): string {
  const named = new Set([root]);
  let text = '';
  for (const name of named) text += `${name} ::= ${alternatives(rules.get(name) as Node, named)}\n`;
  return text;
}

function alternatives(node: Node, named: Set<string>): string {
  return node.type === 'any' ? joined(node.of, ' | ', sequenceOf, named) : sequenceOf(node, named);
}

function sequenceOf(node: Node, named: Set<string>): string {
  return node.type === 'all' ? joined(node.of, ' ', item, named) : item(node, named);
}

function joined(
  nodes: readonly Node[],
  between: string,
  print: (node: Node, named: Set<string>) => string,
  named: Set<string>,
): string {
  let text = '';
  for (const node of nodes) text += text === '' ? print(node, named) : between + print(node, named);
  return text;
}

function item(node: Node, named: Set<string>): string {
  switch (node.type) {
    case 'text':
      return `"${node.text.replace(SPECIAL, inText)}"`;
    case 'chars':
      return charClass(node.ranges);
    case 'ref':
      named.add(node.name);
      return node.name;
    case 'many':
      return `${repeated(node.of, named)}${counts(node.from, node.to)}`;
    case 'without':
      throw new Error('a text without strings is written out before it is printed');
    default:
      return `(${alternatives(node, named)})`;
  }
}

function repeated(node: Node, named: Set<string>): string {
  const printed = item(node, named);
  return node.type === 'many' || node.type === 'text' ? `(${printed})` : printed;
}

export function counts(from: number, to: number | undefined): string {
  if (to === undefined) return from === 0 ? '*' : from === 1 ? '+' : `{${from},}`;
  if (from === 0 && to === 1) return '?';
  return from === to ? `{${from}}` : `{${from},${to}}`;
}

/** The characters that are escaped in a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const SPECIAL = /["\\\u0000-\u001f\u007f]/g;

function inText(char: string): string {
  if (char === '"' || char === '\\') return `\\${char}`;
  return control(char) ?? char;
}

function control(char: string): string | undefined {
  const code = char.codePointAt(0) as number;
  if (char === '\n') return '\\n';
  if (char === '\r') return '\\r';
  if (char === '\t') return '\\t';
  return code < 0x20 || code === 0x7f ? byNumber(code) : undefined;
}

const printedClasses = new WeakMap<CharRanges, string>();

/** Prints a character class. It is never negated: `[^<]` would accept bytes that are not a character. */
function charClass(ranges: CharRanges): string {
  const known = printedClasses.get(ranges);
  if (known !== undefined) return known;
  const printed = `[${ranges.map(charRange).join('')}]`;
  printedClasses.set(ranges, printed);
  return printed;
}

function charRange([from, to]: readonly [number, number]): string {
  return from === to ? inClass(from) : `${inClass(from)}-${inClass(to)}`;
}

function inClass(code: number): string {
  const char = String.fromCodePoint(code);
  if (/[A-Za-z0-9 ]/.test(char)) return char;
  const known = control(char);
  if (known !== undefined) return known;
  return byNumber(code);
}

/** Escapes a character by its number. Never as `\x`: xgrammar would read the `0` of `[\x2d0-9]` as a third digit. */
function byNumber(code: number): string {
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}
