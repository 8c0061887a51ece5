// Lowers the rules of a dialect to nodes, from which the grammar of every engine is printed.

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
  /** The dialect's reader parses JSON strings, so that a string may contain markers. */
  quotesGuard: boolean;
  /** Gives a value in the engine's native syntax (such as `%json`) instead of rules; undefined if it has none. */
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
      return book.without({ type: 'without', strings: rule.without, ranges: ANY_CHAR, from: rule.from ?? 0 });
    case 'value':
      return pathOf(rule, lowering.tools).reduceRight(
        (make, step) => () => book.at(step, make),
        () => lowering.native?.(rule) ?? valueNode(rule, lowering),
      )();
    case 'limit':
      book.limit('', rule.message);
      return inner(rule.of);
  }
}

/** Gives a value as rules. */
export function valueNode({ schema, root, style }: ValueOf, { quotesGuard, book }: Lowering): Node {
  return valueRule(schema, root, quotesGuard && style.type === 'json' ? { type: 'json' } : style, book);
}

/** Makes a rule of its own for a node that is used twice. */
function shared(node: Node, book: RuleBook): Node {
  return node.type === 'ref' || node.type === 'text' ? node : book.rule('call', node);
}

function manyOf(of: Node, from: number, to: number | undefined, between: Node = EMPTY): Node {
  if (to === 0) return EMPTY;
  const rest = repeat(sequence(between, of), Math.max(0, from - 1), to === undefined ? undefined : to - 1);
  const some = sequence(of, rest);
  return from === 0 ? optional(some) : some;
}

/** Gives the names of the tool and the argument that the schema belongs to. */
export function pathOf({ schema, root }: ValueOf, tools: readonly Tool[]): string[] {
  const tool = root === undefined ? undefined : byRoot(tools).get(root);
  if (!tool) return [];
  if (schema === root || !isObject(root) || !isObject(root.properties)) return [tool.name];
  const key = keysOf(root.properties).get(schema);
  return key === undefined ? [tool.name] : [tool.name, key];
}

const roots = new WeakMap<readonly Tool[], Map<unknown, Tool>>();

/** The tools by their parameters. The lists are those of one grammar each, or frozen. */
function byRoot(tools: readonly Tool[]): ReadonlyMap<unknown, Tool> {
  const found = roots.get(tools);
  if (found) return found;
  const tool = new Map(tools.toReversed().map((one) => [one.parameters as unknown, one]));
  roots.set(tools, tool);
  return tool;
}

const known = new WeakMap<object, Map<unknown, string>>();

/** Maps each property's schema to its key, once: searching for each would be quadratic in the number of properties. */
function keysOf(properties: JsonObject): ReadonlyMap<unknown, string> {
  const found = known.get(properties);
  if (found) return found;
  const keys = new Map<unknown, string>();
  for (const [key, schema] of Object.entries(properties)) if (!keys.has(schema)) keys.set(schema, key);
  known.set(properties, keys);
  return keys;
}
