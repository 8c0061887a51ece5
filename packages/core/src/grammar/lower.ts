// The rules of a dialect, as nodes: what every engine's grammar is printed from.

import type { Tool } from '../model/conversation.js';
import { isObject, type JsonObject } from '../model/json.js';
import { ANY_CHAR } from './char-ranges.js';
import { memberList } from './member-list.js';
import { choice, EMPTY, literal, type Node, optional, repeat, sequence } from './node.js';
import type { RuleBook } from './rule-book.js';
import type { Rule } from './spelling.js';
import { valueRule } from './value-rules.js';

export type ValueOf = Extract<Rule, { type: 'value' }>;

export interface Lowering {
  book: RuleBook;
  tools: readonly Tool[];
  /** The dialect's reader minds the quotes of JSON, so that a string may hold anything. */
  quotesGuard: boolean;
  /** A value in an engine's own words, instead of rules; undefined where it has none. */
  native?(value: ValueOf): Node | undefined;
}

export function lower(rule: Rule, lowering: Lowering): Node {
  const inner = (part: Rule) => lower(part, lowering);
  const { book } = lowering;
  switch (rule.type) {
    case 'text':
      return literal(rule.text);
    case 'all':
      return sequence(...rule.of.map(inner));
    case 'any':
      return choice(...rule.of.map(inner));
    case 'many':
      return manyOf(shared(inner(rule.of), book), rule.from, rule.to, rule.between && inner(rule.between));
    case 'members': {
      const of = rule.of.map((member) => ({ node: inner(member.rule), required: member.required }));
      return memberList(of, rule.between && inner(rule.between), rule.more && inner(rule.more), book);
    }
    case 'raw':
      return book.without({
        type: 'without',
        strings: rule.without,
        ranges: ANY_CHAR,
        from: rule.from ?? 0,
      });
    case 'value':
      return atPath(
        pathOf(rule, lowering.tools),
        book,
        () => lowering.native?.(rule) ?? valueNode(rule, lowering),
      );
    case 'limit':
      book.limit('', rule.message);
      return inner(rule.of);
  }
}

/** A value in rules. */
export function valueNode({ schema, root, style }: ValueOf, { quotesGuard, book }: Lowering): Node {
  return valueRule(schema, root, quotesGuard && style.type === 'json' ? { type: 'json' } : style, book);
}

/** What is written twice in a grammar has a rule of its own. */
function shared(node: Node, book: RuleBook): Node {
  if (node.type === 'ref' || node.type === 'text') return node;
  const name = book.reserve('call');
  book.define(name, node);
  return { type: 'ref', name };
}

function manyOf(of: Node, from: number, to: number | undefined, between: Node = EMPTY): Node {
  if (to === 0) return EMPTY;
  const rest = repeat(sequence(between, of), Math.max(0, from - 1), to === undefined ? undefined : to - 1);
  const some = sequence(of, rest);
  return from === 0 ? optional(some) : some;
}

/** The tool whose schema it is, and the argument. */
export function pathOf({ schema, root }: ValueOf, tools: readonly Tool[]): string[] {
  const tool = tools.find(({ parameters }) => parameters !== undefined && parameters === root);
  if (!tool) return [];
  if (schema === root || !isObject(root) || !isObject(root.properties)) return [tool.name];
  const key = keysOf(root.properties).get(schema);
  return key === undefined ? [tool.name] : [tool.name, key];
}

const known = new WeakMap<object, Map<unknown, string>>();

/** Found once: to look for each among all is too much where a tool has thousands. */
function keysOf(properties: JsonObject): ReadonlyMap<unknown, string> {
  const found = known.get(properties);
  if (found) return found;
  const keys = new Map<unknown, string>();
  for (const [key, schema] of Object.entries(properties)) if (!keys.has(schema)) keys.set(schema, key);
  known.set(properties, keys);
  return keys;
}

function atPath<T>(path: readonly string[], book: RuleBook, make: () => T): T {
  const [step, ...rest] = path;
  return step === undefined ? make() : book.at(step, () => atPath(rest, book, make));
}
