// Makes xgrammar's structural tags, for `response_format` or `structured_outputs` of vLLM and SGLang. They are a tree
// of formats: texts, JSON by a schema, and EBNF grammars for everything else.
//
//   auto        text until a trigger, then calls to the end:  triggered_tags
//   required    the calls alone, reasoning before them:       sequence, or

import type { JsonObject, Tool } from '../model/index.js';
import type { ReasoningFrame } from './constrain.js';
import { toGbnf } from './gbnf.js';
import { lower } from './lower.js';
import { plainSchema } from './plain-schema.js';
import { RuleBook } from './rule-book.js';
import { all, any, type Rule, text } from './spelling.js';
import { stripPrefix } from './strip-prefix.js';

export interface StructuralTagRequest {
  calls: Rule;
  /** If given, free text may come before the calls. */
  triggers: readonly string[] | undefined;
  reasoning: ReasoningFrame | undefined;
  tools: readonly Tool[];
  book: RuleBook;
  /** The dialect's reader parses JSON strings, so that the engine's own JSON grammar can be used. */
  quotesGuard: boolean;
}

export function toStructuralTag(request: StructuralTagRequest): JsonObject {
  const { triggers } = request;
  const format = triggers ? triggered(triggers, request) : held(request);
  return { type: 'structural_tag', format };
}

function triggered(triggers: readonly string[], request: StructuralTagRequest): JsonObject {
  const tags = triggers.flatMap((begin) => {
    const rest = stripPrefix(request.calls, begin);
    return rest ? [tagOf(begin, formatOf(rest, request))] : [];
  });
  return {
    type: 'triggered_tags',
    triggers: tags.map(({ begin }) => begin),
    tags,
    at_least_one: false,
    stop_after_first: true,
  };
}

/** Makes a tag. If the calls end with a fixed text, that is the tag's end. */
function tagOf(begin: string, content: JsonObject): { begin: string } & JsonObject {
  const elements = content.type === 'sequence' ? (content.elements as JsonObject[]) : [];
  const last = elements.at(-1);
  if (last?.type !== 'const_string') return { type: 'tag', begin, content, end: '' };
  const rest = { type: 'sequence', elements: elements.slice(0, -1) };
  return { type: 'tag', begin, content: rest, end: last.value as string };
}

function held(request: StructuralTagRequest): JsonObject {
  const calls = formatOf(request.calls, request);
  const { reasoning } = request;
  if (!reasoning) return calls;
  const { open, close } = reasoning;
  const thought = { type: 'tag', begin: open, content: { type: 'any_text' }, end: close };
  const breaks = grammarOf(any(text(''), text('\n'), text('\n\n')), request);
  const first = { type: 'sequence', elements: [thought, breaks] };
  return { type: 'sequence', elements: [open === '' ? first : { type: 'optional', content: first }, calls] };
}

// --- formats -------------------------------------------------------------------------------------------

function formatOf(rule: Rule, request: StructuralTagRequest): JsonObject {
  if (rule.type === 'limit') request.book.limit('', rule.message);
  const plain = rule.type === 'limit' ? rule.of : rule;
  if (!holdsJson(plain, request.quotesGuard)) return grammarOf(plain, request);
  switch (plain.type) {
    case 'all':
      return {
        type: 'sequence',
        elements: joined(plain.of, request.quotesGuard).map((part) => formatOf(part, request)),
      };
    case 'any':
      return { type: 'or', elements: plain.of.map((part) => formatOf(part, request)) };
    case 'many':
      return repeated(plain, request);
    case 'value':
      return { type: 'json_schema', json_schema: plainSchema(plain.schema, request.book, plain.root) };
    case 'members':
      return plain.between ? grammarOf(plain, request) : membersOf(plain, request);
    default:
      return grammarOf(plain, request);
  }
}

/** Whether the rule contains a value that the engine can constrain by its schema. */
function holdsJson(rule: Rule, native: boolean): boolean {
  const inner = (part: Rule) => holdsJson(part, native);
  switch (rule.type) {
    case 'value':
      return rule.style.type === 'json' && (native || (rule.style.without ?? []).length === 0);
    case 'all':
    case 'any':
      return rule.of.some(inner);
    case 'many':
    case 'limit':
      return inner(rule.of);
    case 'members':
      return !rule.between && rule.of.some((member) => inner(member.rule));
    default:
      return false;
  }
}

/** Joins neighbouring parts without JSON, so that they become one grammar. */
function joined(parts: readonly Rule[], native: boolean): Rule[] {
  const out: Rule[] = [];
  for (const part of parts.flatMap((one) => (one.type === 'all' ? joined(one.of, native) : [one]))) {
    if (part.type === 'text' && part.text === '') continue;
    const last = out.at(-1);
    if (last && !holdsJson(last, native) && !holdsJson(part, native)) out[out.length - 1] = all(last, part);
    else out.push(part);
  }
  return out;
}

function repeated(rule: Extract<Rule, { type: 'many' }>, request: StructuralTagRequest): JsonObject {
  const { of, from, to, between } = rule;
  const once = formatOf(of, request);
  if (from === 1 && to === 1) return once;
  if (!between) return times(once, from, to);
  const rest = formatOf(all(between, of), request);
  const more = times(rest, Math.max(0, from - 1), to === undefined ? undefined : to - 1);
  const some = { type: 'sequence', elements: [once, more] };
  return from === 0 ? { type: 'optional', content: some } : some;
}

/** Repeats a format. It avoids `repeat` where it can, because older versions of xgrammar lack it. */
function times(content: JsonObject, from: number, to: number | undefined): JsonObject {
  if (to === undefined && from <= 1) return { type: from === 0 ? 'star' : 'plus', content };
  if (from === 0 && to === 1) return { type: 'optional', content };
  return { type: 'repeat', min: from, max: to ?? -1, content };
}

function membersOf(rule: Extract<Rule, { type: 'members' }>, request: StructuralTagRequest): JsonObject {
  const elements: JsonObject[] = rule.of.map(({ rule: member, required }) => {
    const content = formatOf(member, request);
    return required ? content : { type: 'optional', content };
  });
  if (rule.more) elements.push({ type: 'star', content: formatOf(rule.more, request) });
  return { type: 'sequence', elements };
}

function grammarOf(rule: Rule, { tools, book, quotesGuard }: StructuralTagRequest): JsonObject {
  const own = new RuleBook(true);
  const node = lower(rule, { book: own, tools, quotesGuard });
  for (const { path, keyword, message } of own.limits) book.at(path, () => book.limit(keyword, message));
  // xgrammar rejects an empty constant.
  if (node.type === 'text' && node.text !== '') return { type: 'const_string', value: node.text };
  const root = own.reserve('root');
  own.define(root, node);
  return { type: 'grammar', grammar: toGbnf(own.rules(root)) };
}
