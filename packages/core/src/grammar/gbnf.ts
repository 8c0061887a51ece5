// Prints GBNF, the grammar language of llama.cpp; xgrammar's EBNF is the same language.
//
//   root ::= "<tool_call>\n{\"name\": " …
//   space ::= (" " | "\n" [ \t]{0,40})?

import { type CharRanges, type Node, type Rules, reachable } from './node.js';

export function toGbnf({ rules, root }: Rules): string {
  const lines: string[] = [];
  for (const name of reachable({ rules, root }))
    lines.push(`${name} ::= ${alternatives(rules.get(name) as Node)}`);
  return `${lines.join('\n')}\n`;
}

function alternatives(node: Node): string {
  return node.type === 'any' ? node.of.map(sequenceOf).join(' | ') : sequenceOf(node);
}

function sequenceOf(node: Node): string {
  return node.type === 'all' ? node.of.map(item).join(' ') : item(node);
}

function item(node: Node): string {
  switch (node.type) {
    case 'text':
      return `"${[...node.text].map(inText).join('')}"`;
    case 'chars':
      return charClass(node.ranges);
    case 'ref':
      return node.name;
    case 'many':
      return `${repeated(node.of)}${counts(node.from, node.to)}`;
    case 'without':
      throw new Error('a text without strings is written out before it is printed');
    default:
      return `(${alternatives(node)})`;
  }
}

function repeated(node: Node): string {
  const printed = item(node);
  return node.type === 'many' || node.type === 'text' ? `(${printed})` : printed;
}

export function counts(from: number, to: number | undefined): string {
  if (to === undefined) return from === 0 ? '*' : from === 1 ? '+' : `{${from},}`;
  if (from === 0 && to === 1) return '?';
  return from === to ? `{${from}}` : `{${from},${to}}`;
}

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

/** Prints a character class. It is never negated: `[^<]` would accept bytes that are not a character. */
function charClass(ranges: CharRanges): string {
  return `[${ranges.map(charRange).join('')}]`;
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
