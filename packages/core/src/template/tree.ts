// The syntax tree of a template, as @huggingface/jinja (the engine) parses it. run.ts evaluates it, because the
// engine's own evaluation follows JavaScript where transformers follows Python.

import { parse, tokenize } from '@huggingface/jinja';
import { UsageError } from '../model/errors.js';

export type Node =
  | { type: 'If'; test: Node; body: Node[]; alternate: Node[] }
  | { type: 'For'; loopvar: Node; iterable: Node; body: Node[]; defaultBlock: Node[] }
  | { type: 'Break' | 'Continue' | 'Comment' }
  | { type: 'Set'; assignee: Node; value: Node | null; body: Node[] }
  | { type: 'Macro'; name: Name; args: Node[]; body: Node[] }
  | { type: 'CallStatement'; call: Call; callerArgs: Node[] | null; body: Node[] }
  | { type: 'FilterStatement'; filter: Name | Call; body: Node[] }
  | { type: 'MemberExpression'; object: Node; property: Node; computed: boolean }
  | { type: 'SliceExpression'; start?: Node; stop?: Node; step?: Node }
  | { type: 'IntegerLiteral' | 'FloatLiteral'; value: number }
  | { type: 'StringLiteral'; value: string }
  | { type: 'ArrayLiteral' | 'TupleLiteral'; value: Node[] }
  | { type: 'ObjectLiteral'; value: Map<Node, Node> }
  | { type: 'UnaryExpression'; operator: { value: string }; argument: Node }
  | { type: 'BinaryExpression'; operator: { value: string }; left: Node; right: Node }
  | { type: 'FilterExpression'; operand: Node; filter: Name | Call }
  | { type: 'TestExpression'; operand: Node; negate: boolean; test: Name }
  | { type: 'SelectExpression'; lhs: Node; test: Node }
  | { type: 'Ternary'; condition: Node; trueExpr: Node; falseExpr: Node }
  | { type: 'KeywordArgumentExpression'; key: Name; value: Node }
  | { type: 'SpreadExpression' | 'KeywordSpreadExpression'; argument: Node }
  | Name
  | Call;
export type Name = { type: 'Identifier'; value: string };
export type Call = { type: 'CallExpression'; callee: Node; args: Node[] };

interface Token {
  type: string;
  value: string;
}

/** The most characters of a template. The longest chat templates in use have 20,000. */
const LONGEST = 256_000;
/** The longest run of white space: the engine takes quadratic time for it. */
const LONGEST_BLANK = 300;

export function readTemplate(source: string): Node[] {
  if (source.length > LONGEST || longestBlank(source) > LONGEST_BLANK) {
    throw new UsageError(
      'bad-template',
      `has more than ${LONGEST} characters, or more than ${LONGEST_BLANK} of white space in a row`,
    );
  }
  try {
    // Jinja normalises every line break to \n.
    const text = rawBlocks(source.replace(/\r\n?/g, '\n'));
    const tokens = tokenize(text, { trim_blocks: true, lstrip_blocks: true }) as Token[];
    return parse(testsWithArguments(tokens) as never).body as unknown as Node[];
  } catch (error) {
    // The engine does not check for the end of the tokens, which causes a TypeError.
    const ended = error instanceof TypeError;
    const why = ended ? 'it ends inside a tag, or a block is not closed' : (error as Error).message;
    throw new UsageError('bad-template', `the template cannot be read: ${why}`);
  }
}

function longestBlank(source: string): number {
  let longest = 0;
  for (const blank of source.matchAll(/\s+/g)) longest = Math.max(longest, blank[0].length);
  return longest;
}

/** Replaces `raw` blocks, which the engine does not know, by printed string literals. */
function rawBlocks(source: string): string {
  const tag = /\{%(-?)\s*(raw|endraw)\s*(-?)%\}/g;
  let out = '';
  let done = 0;
  let open: RegExpExecArray | undefined;
  for (let found = tag.exec(source); found; found = tag.exec(source)) {
    if (found[2] === 'raw' && !open) {
      const text = source.slice(done, found.index);
      out += found[1] ? text : withoutIndent(text);
      open = found;
    } else if (found[2] === 'endraw' && open) {
      const body = source.slice(done, found.index);
      const front = open[3] ? body.trimStart() : body;
      const text = found[1] ? front.trimEnd() : withoutIndent(front);
      out += `{{${open[1]} ${quote(text)} ${found[3]}}}`;
      if (!found[3] && source[tag.lastIndex] === '\n') tag.lastIndex++;
      open = undefined;
    } else continue;
    done = tag.lastIndex;
  }
  return out + source.slice(done);
}

/** Removes the indent before a tag that is the first on its line, as `lstrip_blocks` does. */
function withoutIndent(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--;
  return end === 0 || text[end - 1] === '\n' ? text.slice(0, end) : text;
}

function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

const DEEPEST_TEST = 20;

/**
 * Rewrites tests with an argument, which the engine cannot parse, as filters of the same precedence:
 * `x is divisibleby(3)` and `x is in y` become `x | is divisibleby(3)` and `x | is in(y)`. The space in the name
 * keeps it apart from real filters.
 */
function testsWithArguments(tokens: Token[], depth = 0): Token[] {
  if (depth > DEEPEST_TEST) throw new SyntaxError('tests in the arguments of tests, too deep');
  const out: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const negated = isWord(tokens[at + 1], 'not');
    const name = tokens[at + (negated ? 2 : 1)];
    const first = at + (negated ? 3 : 2);
    if (!isWord(tokens[at], 'is') || name?.type !== 'Identifier' || !startsArgument(tokens[first])) {
      out.push(tokens[at] as Token);
      continue;
    }
    out.push(
      { type: 'Pipe', value: '|' },
      { type: 'Identifier', value: `is ${negated ? 'not ' : ''}${name.value}` },
    );
    const inBrackets = tokens[first]?.type === 'OpenParen';
    const end = inBrackets ? bracketEnd(tokens, first) : argumentEnd(tokens, first);
    if (!inBrackets) out.push({ type: 'OpenParen', value: '(' });
    for (const token of testsWithArguments(tokens.slice(first, end), depth + 1)) out.push(token);
    if (!inBrackets) out.push({ type: 'CloseParen', value: ')' });
    at = end - 1;
  }
  return out;
}

function isWord(token: Token | undefined, word: string): boolean {
  return token?.type === 'Identifier' && token.value === word;
}

const OPENERS = ['OpenParen', 'OpenSquareBracket', 'OpenCurlyBracket'];
const CLOSERS = ['CloseParen', 'CloseSquareBracket', 'CloseCurlyBracket'];
const OPERATOR_WORDS = ['and', 'or', 'else', 'if', 'in', 'is', 'not'];

function startsArgument(token: Token | undefined): boolean {
  if (!token) return false;
  if (token.type === 'Identifier') return !OPERATOR_WORDS.includes(token.value);
  return token.type === 'StringLiteral' || token.type === 'NumericLiteral' || OPENERS.includes(token.type);
}

/** Gives the position after one value and the dots and brackets that follow it. */
function argumentEnd(tokens: Token[], first: number): number {
  let at = bracketEnd(tokens, first);
  while (at < tokens.length) {
    const type = tokens[at]?.type ?? '';
    if (type === 'Dot') at += 2;
    else if (type === 'OpenParen' || type === 'OpenSquareBracket') at = bracketEnd(tokens, at);
    else break;
  }
  return at;
}

function bracketEnd(tokens: Token[], first: number): number {
  let depth = 0;
  for (let at = first; at < tokens.length; at++) {
    const type = tokens[at]?.type ?? '';
    if (OPENERS.includes(type)) depth++;
    if (CLOSERS.includes(type)) depth--;
    if (depth === 0) return at + 1;
  }
  return tokens.length;
}
