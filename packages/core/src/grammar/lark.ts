// Prints Lark grammars for llguidance. Its lexer matches greedily, so neighbouring regular parts become one terminal
// (upper case), and only recursive parts become rules. JSON values use `%json`, and text that contains none of some
// strings uses `&` and `~`:
//
//   start: T1 json_1 T2
//   T1: "<tool_call>\n{\"name\": \"f\", \"arguments\": "
//   BODY: /(?s:.*)/ & ~/(?s:.*)(<\/parameter>)(?s:.*)/

import type { Tool } from '../model/index.js';
import { complement } from './char-ranges.js';
import { counts } from './gbnf.js';
import { lower } from './lower.js';
import type { CharRanges, Node, Without } from './node.js';
import { plainSchema } from './plain-schema.js';
import type { RuleBook } from './rule-book.js';
import { all, any, type Rule, raw, text } from './spelling.js';
import { stripPrefix } from './strip-prefix.js';

export interface LarkRequest {
  calls: Rule;
  /** If given, free text may come before the calls. */
  triggers: readonly string[] | undefined;
  tools: readonly Tool[];
  book: RuleBook;
  specialTokens: readonly string[];
  /** The dialect's reader parses JSON strings, so that the engine's own JSON grammar can be used. */
  quotesGuard: boolean;
}

export function toLark(request: LarkRequest): string {
  const { book, tools, specialTokens } = request;
  const rule = request.triggers ? withText(request.calls, request.triggers) : request.calls;
  const natives = new Map<string, string>();
  const node = lower(rule, {
    book,
    tools,
    quotesGuard: request.quotesGuard,
    native: (value) => {
      const { style } = value;
      if (style.type !== 'json') return undefined;
      if (!request.quotesGuard && (style.without ?? []).length > 0) return undefined;
      const name = `json_${natives.size + 1}`;
      natives.set(name, JSON.stringify(plainSchema(value.schema, book, value.root)));
      return { type: 'ref', name };
    },
  });
  const root = book.reserve('start');
  book.define(root, node);
  const tokens = specialTokens.filter((token) => isToken(token, book));
  return new LarkPrinter(book.rules(root).rules, natives, tokens).print(root);
}

/** Allows text without any trigger, or such text followed by a trigger and the rest of the calls. */
function withText(calls: Rule, triggers: readonly string[]): Rule {
  const ways = triggers.flatMap((trigger) => {
    const rest = stripPrefix(calls, trigger);
    return rest ? [all(raw(triggers), text(trigger), rest)] : [];
  });
  return any(raw(triggers), ...ways);
}

function isToken(token: string, book: RuleBook): boolean {
  if (/^<[^<>\s]+>$/.test(token)) return true;
  book.limit('', `the special token ${token} has no name that Lark can spell; it is written as text`);
  return false;
}

class LarkPrinter {
  readonly #lines: string[] = [];
  readonly #terminals = new Map<string, string>();
  readonly #regular = new Map<string, boolean>();
  readonly #regularLists = new Map<Node, boolean>();
  /** The terminals of the rules that are regular. */
  readonly #ofRules = new Map<string, string>();
  readonly #printed = new Set<string>();

  constructor(
    readonly rules: ReadonlyMap<string, Node>,
    readonly natives: ReadonlyMap<string, string>,
    readonly tokens: readonly string[],
  ) {}

  print(root: string): string {
    this.#rule(root);
    const json = [...this.natives].map(([name, schema]) => `${name}: %json ${schema}`);
    return `${['%llguidance {}', ...this.#lines, ...json].join('\n')}\n`;
  }

  // --- rules

  #rule(name: string): void {
    if (this.#printed.has(name) || this.natives.has(name)) return;
    this.#printed.add(name);
    const at = this.#lines.push('') - 1;
    this.#lines[at] = `${name}: ${this.#alternatives(this.rules.get(name) as Node)}`;
  }

  #alternatives(node: Node): string {
    if (node.type !== 'any' || this.#isRegular(node)) return this.#sequence(node);
    const regular = node.of.filter((way) => this.#isRegular(way));
    const others = node.of.filter((way) => !this.#isRegular(way));
    return [
      ...others.map((way) => this.#sequence(way)),
      ...(regular.length > 0 ? [this.#lexeme({ type: 'any', of: regular })] : []),
    ].join(' | ');
  }

  /** Prints a sequence. Neighbouring regular parts become one lexeme, so that greedy matching ends where it should. */
  #sequence(node: Node): string {
    const parts = node.type === 'all' ? node.of : [node];
    const out: string[] = [];
    let run: Node[] = [];
    const flush = () => {
      if (run.length > 0)
        out.push(this.#lexeme(run.length === 1 ? (run[0] as Node) : { type: 'all', of: run }));
      run = [];
    };
    for (const part of parts.flatMap((one) => this.#split(one))) {
      if (typeof part !== 'string' && this.#isRegular(part)) run.push(part);
      else {
        flush();
        out.push(typeof part === 'string' ? part : this.#item(part));
      }
    }
    flush();
    return out.join(' ');
  }

  /** Splits a text at special tokens, which must be outside of lexemes. */
  #split(node: Node): (Node | string)[] {
    if (node.type !== 'text') return [node];
    const token = this.tokens.find((one) => node.text.includes(one));
    if (!token) return [node];
    const at = node.text.indexOf(token);
    const before = node.text.slice(0, at);
    const behind = node.text.slice(at + token.length);
    return [
      ...(before === '' ? [] : this.#split({ type: 'text', text: before })),
      token,
      ...(behind === '' ? [] : this.#split({ type: 'text', text: behind })),
    ];
  }

  #item(node: Node): string {
    if (node.type === 'ref') {
      this.#rule(node.name);
      return node.name;
    }
    if (node.type === 'many') return `(${this.#alternatives(node.of)})${counts(node.from, node.to)}`;
    return `(${this.#alternatives(node)})`;
  }

  // --- terminals

  #lexeme(node: Node): string {
    if (node.type === 'text') return JSON.stringify(node.text);
    const printed = this.#regex(node);
    return this.#terminal(printed, 'T');
  }

  #terminal(definition: string, prefix: string): string {
    const known = this.#terminals.get(definition);
    if (known) return known;
    const name = `${prefix}${this.#terminals.size + 1}`;
    this.#terminals.set(definition, name);
    this.#lines.push(`${name}: ${definition}`);
    return name;
  }

  #regex(node: Node): string {
    switch (node.type) {
      case 'text':
        return JSON.stringify(node.text);
      case 'chars':
        return `/${charClass(node.ranges)}/`;
      case 'ref':
        return this.#ruleTerminal(node.name);
      case 'many':
        return `(${this.#regex(node.of)})${counts(node.from, node.to)}`;
      case 'all':
        return node.of
          .map((part) => (part.type === 'any' ? `(${this.#regex(part)})` : this.#regex(part)))
          .join(' ');
      case 'any':
        return this.#anyRegex(node.of);
      case 'without':
        return this.#without(node);
    }
  }

  #ruleTerminal(name: string): string {
    const known = this.#ofRules.get(name);
    if (known) return known;
    const made = this.#terminal(this.#regex(this.rules.get(name) as Node), 'R');
    this.#ofRules.set(name, made);
    return made;
  }

  #anyRegex(ways: readonly Node[]): string {
    const filled = ways.filter((way) => way.type !== 'text' || way.text !== '');
    const printed = filled.map((way) => this.#regex(way)).join(' | ');
    if (filled.length === ways.length) return printed;
    return filled.length === 0 ? '""' : `(${printed})?`;
  }

  #without(node: Without): string {
    const { escape: escaped, ranges, from, to, strings } = node;
    const isAll = (ranges.at(-1)?.[1] ?? 0) > 0xffff && ranges.length === 2 && !escaped;
    const unit = escaped ? `(/${charClass(ranges)}/ | (${this.#regex(escaped)}))` : `/${charClass(ranges)}/`;
    const body = isAll && from === 0 && to === undefined ? '/(?s:.*)/' : `${unit}${counts(from, to)}`;
    const given = strings.filter((string) => string !== '');
    if (given.length === 0) return body;
    const banned = given.map(inRegex).join('|');
    return this.#terminal(`${this.#terminal(body, 'U')} & ~/(?s:.*)(${banned})(?s:.*)/`, 'B');
  }

  // --- what is regular: a node without recursive rules, native `%json` values and special tokens

  #isRegular(node: Node): boolean {
    if (node.type === 'text') return !this.#hasToken(node.text);
    if (node.type === 'ref') return this.#isRegularRule(node.name);
    if (node.type === 'many') return this.#isRegular(node.of);
    return node.type === 'all' || node.type === 'any' ? this.#isRegularList(node) : true;
  }

  /** Only lists are remembered: whatever else is cheaper to look at than to find. */
  #isRegularList(node: Node & { of: readonly Node[] }): boolean {
    const known = this.#regularLists.get(node);
    if (known !== undefined) return known;
    let regular = true;
    for (const part of node.of) {
      regular = this.#isRegular(part);
      if (!regular) break;
    }
    this.#regularLists.set(node, regular);
    return regular;
  }

  #hasToken(text: string): boolean {
    for (const token of this.tokens) if (text.includes(token)) return true;
    return false;
  }

  #isRegularRule(name: string): boolean {
    const known = this.#regular.get(name);
    if (known !== undefined) return known;
    if (this.natives.has(name)) return false;
    // A rule that leads back to itself finds this.
    this.#regular.set(name, false);
    const regular = this.#isRegular(this.rules.get(name) as Node);
    this.#regular.set(name, regular);
    return regular;
  }
}

function inRegex(string: string): string {
  return [...string]
    .map((char) => (/[A-Za-z0-9 _]/.test(char) ? char : escapeChar(char.codePointAt(0) as number)))
    .join('');
}

function charClass(ranges: CharRanges): string {
  const others = complement(ranges).filter(([from, to]) => !(from === 0xd800 && to === 0xdfff) && to !== 0);
  const negated = others.length < ranges.length || (ranges.at(-1)?.[1] ?? 0) > 0xffff;
  const shown = negated ? others : ranges;
  if (negated && shown.length === 0) return '(?s:.)';
  return `[${negated ? '^' : ''}${shown.map(([from, to]) => (from === to ? classChar(from) : `${classChar(from)}-${classChar(to)}`)).join('')}]`;
}

function classChar(code: number): string {
  return /[A-Za-z0-9 ]/.test(String.fromCodePoint(code)) ? String.fromCodePoint(code) : escapeChar(code);
}

/** Escapes a character by its number, so that it has no special meaning. */
function escapeChar(code: number): string {
  return `\\x{${code.toString(16)}}`;
}
