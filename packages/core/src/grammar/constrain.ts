// Makes a sampling grammar for the calls of a dialect: an engine that is constrained by it writes only calls that can
// be read, of declared tools, with arguments of the right shape.
//
//   constrain(hermes, tools, 'required', { format: 'gbnf' }).grammar     root ::= "<tool_call>\n{\"name\": …
//
// What an engine's grammar cannot express is listed in `limits`.

import type { Dialect } from '../engine/dialect.js';
import { type JsonObject, type JsonSchema, type Tool, type ToolChoice, UsageError } from '../model/index.js';
import { toGbnf } from './gbnf.js';
import { toLark } from './lark.js';
import { type Lowering, lower, type ValueOf, valueNode } from './lower.js';
import { isNever, type Rules, ref } from './node.js';
import { plainSchema } from './plain-schema.js';
import { type Limit, RuleBook } from './rule-book.js';
import { all, any, type HowMany, many, type Rule, type Spelling, text } from './spelling.js';
import { toStructuralTag } from './structural-tag.js';

export type { Limit };

/**
 * `gbnf`: llama.cpp. `structural-tag`: xgrammar, for vLLM and SGLang. `lark`: llguidance. `json-schema`: any engine
 * that constrains a whole answer by a schema, for dialects whose calls are one JSON document.
 */
export type GrammarFormat = 'gbnf' | 'structural-tag' | 'lark' | 'json-schema';
export const GRAMMAR_FORMATS: readonly GrammarFormat[] = ['gbnf', 'structural-tag', 'lark', 'json-schema'];

export interface ConstrainOptions {
  format: GrammarFormat;
  /** Allows several calls in one answer. Default true; a tool choice that names a tool allows one call only. */
  parallel?: boolean;
  /**
   * Whether the model may think first: `no`, `yes`, or `open` if the prompt ended with the opener of the reasoning.
   * Default `no`. With the tool choice `auto`, text and reasoning may come first in any case.
   */
  reasoning?: 'no' | 'yes' | 'open';
  /** Markers that are single tokens of the model's vocabulary, which llguidance distinguishes from text. */
  specialTokens?: readonly string[];
}

export interface Constraint {
  format: GrammarFormat;
  /** Absent: the answer is not constrained, and `limits` has the reason. */
  grammar?: string | JsonObject;
  /** The grammar applies only from one of the triggers on; free text comes before. */
  lazy: boolean;
  triggers: readonly string[];
  /** With `gbnf`: texts at which it applies, too, where an answer begins with them, or goes on so behind its reasoning. */
  beginnings?: readonly string[];
  limits: readonly Limit[];
}

export function constrain(
  dialect: Dialect,
  rules: Spelling | undefined,
  tools: readonly Tool[],
  choice: ToolChoice,
  options: ConstrainOptions,
): Constraint {
  const { format } = options;
  const nothing = (message: string): Constraint => ({
    format,
    lazy: false,
    triggers: [],
    limits: [{ path: '', keyword: '', message }],
  });
  if (choice === 'none') return nothing('no tool is to be called, so there is nothing to hold the model to');
  if (tools.length === 0)
    throw new UsageError('bad-tools', 'a grammar needs tools; give at least one', 'tools');
  const spelling = ruled(dialect, rules);
  const wanted = wantedTools(tools, choice);
  const howMany = howManyOf(choice, options);
  if (format === 'json-schema') return jsonSchema(dialect, spelling, wanted, howMany, choice, nothing);
  if (choice === 'auto' && spelling.triggers.length === 0)
    return nothing(
      `${dialect.name} has no marker at which calls begin, so text and calls cannot be told apart`,
    );
  return grammarOf({ dialect, spelling, tools: wanted, howMany, choice, options });
}

/** Makes a grammar for an answer that is one JSON value, which may follow reasoning. */
export function constrainAnswer(dialect: Dialect, schema: JsonSchema, options: ConstrainOptions): Constraint {
  const { format } = options;
  if (format === 'json-schema') {
    const book = new RuleBook(false);
    return { format, grammar: plainSchema(schema, book), lazy: false, triggers: [], limits: book.limits };
  }
  const value: Rule = { type: 'value', schema, root: schema, style: { type: 'json' } };
  const spelling: Spelling = { triggers: [], calls: () => value };
  const howMany = { from: 1, to: 1 };
  return grammarOf({ dialect, spelling, tools: [], howMany, choice: 'required', options });
}

interface Request {
  dialect: Dialect;
  spelling: Spelling;
  tools: readonly Tool[];
  howMany: HowMany;
  choice: ToolChoice;
  options: ConstrainOptions;
}

function ruled({ name }: Dialect, rules: Spelling | undefined): Spelling {
  if (rules) return rules;
  throw new UsageError('no-grammar', `${name} has no grammar: its calls cannot be said in rules`);
}

function wantedTools(tools: readonly Tool[], choice: ToolChoice): readonly Tool[] {
  if (typeof choice === 'string') return tools;
  const named = tools.filter(({ name }) => name === choice.name);
  if (named.length > 0) return named;
  throw new UsageError('bad-tools', `no tool is called ${JSON.stringify(choice.name)}`, 'toolChoice');
}

function howManyOf(choice: ToolChoice, { parallel = true }: ConstrainOptions): HowMany {
  return parallel && typeof choice === 'string' ? { from: 1 } : { from: 1, to: 1 };
}

// --- the targets ---------------------------------------------------------------------------------------

export interface CallRules extends Rules {
  /** The names of the rules for values, with the value that each is for. */
  values: ReadonlyMap<string, ValueOf>;
}

/** Gives the rules of the calls alone, for tests that sample and check them. */
export function callRules(
  dialect: Dialect,
  rules: Spelling | undefined,
  tools: readonly Tool[],
  howMany: HowMany,
): CallRules {
  const book = new RuleBook(true);
  const values = new Map<string, ValueOf>();
  const lowering: Lowering = {
    book,
    tools,
    quotesGuard: quotesGuard(dialect),
    native(value) {
      const name = book.reserve('value');
      values.set(name, value);
      book.define(name, valueNode(value, lowering));
      return ref(name);
    },
  };
  return { ...rulesOf(ruled(dialect, rules).calls(tools, howMany), lowering), values };
}

/** Whether the reader finds the end of a string by its JSON quote, so that markers may occur in it. */
function quotesGuard({ traits }: Dialect): boolean {
  return traits.values === 'json';
}

function rulesOf(rule: Rule, lowering: Lowering): Rules {
  const { book } = lowering;
  const root = book.reserve('root');
  const node = lower(rule, lowering);
  if (isNever(node))
    throw new UsageError('no-grammar', 'no call of these tools can be written in the dialect', 'tools');
  book.define(root, node);
  return book.rules(root);
}

/** Makes the grammar of one of the formats that have rules. */
function grammarOf(request: Request): Constraint {
  const { spelling, tools, howMany, choice, dialect, options } = request;
  const { format } = options;
  const lazy = choice === 'auto';
  const triggers = lazy ? spelling.triggers : [];
  const own = spelling.calls(tools, howMany);
  const calls = lazy && spelling.lead !== undefined ? all(optional(spelling.lead), own) : own;
  const beginnings = lazy ? (spelling.beginnings?.(tools) ?? []) : [];
  const book = new RuleBook(format !== 'lark');
  const shared = { tools, book, quotesGuard: quotesGuard(dialect), triggers: lazy ? triggers : undefined };
  const held = () => (lazy ? calls : withReasoning(calls, request));
  if (format === 'gbnf')
    return {
      format,
      grammar: toGbnf(rulesOf(held(), shared)),
      lazy,
      triggers,
      ...(beginnings.length > 0 && { beginnings }),
      limits: book.limits,
    };
  const grammar =
    format === 'lark'
      ? toLark({ ...shared, calls: held(), specialTokens: options.specialTokens ?? [] })
      : toStructuralTag({ ...shared, calls, reasoning: lazy ? undefined : reasoningOf(dialect, options) });
  return { format, grammar, lazy: false, triggers, limits: book.limits };
}

const optional = (value: string): Rule => many(text(value), { from: 0, to: 1 });

function jsonSchema(
  { name }: Dialect,
  spelling: Spelling,
  tools: readonly Tool[],
  howMany: HowMany,
  choice: ToolChoice,
  nothing: (message: string) => Constraint,
): Constraint {
  if (!spelling.json)
    throw new UsageError('no-grammar', `the calls of ${name} are no JSON document; ask for another format`);
  if (choice === 'auto')
    return nothing('a schema holds the whole answer, so the model could not answer in words');
  const book = new RuleBook(false);
  const roots = tools.map(({ parameters }) => parameters);
  const grammar = plainSchema(spelling.json(tools, howMany), book, undefined, roots);
  return { format: 'json-schema', grammar, lazy: false, triggers: [], limits: book.limits };
}

// --- reasoning -----------------------------------------------------------------------------------------

export interface ReasoningFrame {
  open: string;
  close: string;
}

/** Gives the frame of the reasoning before the calls; undefined if there is none. */
function reasoningOf(
  { traits }: Dialect,
  { reasoning = 'no' }: ConstrainOptions,
): ReasoningFrame | undefined {
  if (reasoning === 'no' || !traits.reasoning) return undefined;
  return { open: reasoning === 'open' ? '' : traits.reasoning.open, close: traits.reasoning.close };
}

const BREAKS = any(text(''), text('\n'), text('\n\n'));

function withReasoning(calls: Rule, { dialect, options }: Request): Rule {
  const frame = reasoningOf(dialect, options);
  if (!frame) return calls;
  const thought = all(text(frame.open), { type: 'raw', without: [frame.close] }, text(frame.close), BREAKS);
  return options.reasoning === 'open' ? all(thought, calls) : all(any(text(''), thought), calls);
}
