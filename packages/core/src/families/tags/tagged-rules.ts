// Grammar rules for tagged arguments: what tagged-calls.ts writes, each tool with its own keys, each value by its
// schema.
//
//   <tool_call>\n<function=f>\n  <parameter=k>\n  value  \n</parameter>\n  </function>\n</tool_call>
//   text                         text             value  text             text
//
// A raw value may contain none of the closers, so that the first closer is always its own.

import type { TaggedSampling } from '../../engine/call-rules.js';
import type { Spellings, TaggedCalls } from '../../engine/declaration.js';
import { shapeOf } from '../../grammar/object-shape.js';
import {
  all,
  any,
  argumentMembers,
  argumentsValue,
  type HowMany,
  many,
  type Rule,
  type Spelling,
  text,
  type ValueStyle,
} from '../../grammar/spelling.js';
import { isObject, type JsonObject, type JsonSchema, type Tool } from '../../model/index.js';
import { acceptedTypes, type OptionalSchema } from '../../schema/schema.js';
import { firstOf } from '../declared/family.js';
import { withNamespace } from './tagged-family.js';
import { isNameInText, splitTemplate, templateHead } from './template-tags.js';

export function taggedRules(declared: TaggedSampling): Spelling {
  const calls = withNamespace(declared);
  return {
    triggers: [triggerOf(calls)],
    calls: (tools, howMany) => callsRule(calls, tools, howMany),
  };
}

function triggerOf({ block, call }: TaggedCalls): string {
  if (block) return firstOf(block.open);
  const open = (call.before ?? '') + firstOf(call.open);
  return isNameInText(open) ? templateHead(open) : splitTemplate(open)[0];
}

function callsRule(calls: TaggedSampling, tools: readonly Tool[], howMany: HowMany): Rule {
  const { block, layout = {} } = calls;
  const call = any(...tools.map((tool) => callRule(tool, forTool(calls, tool.name))));
  if (!block) return many(call, howMany, layout.behind ? text(layout.behind) : undefined);
  const open = text(firstOf(block.open) + (layout.block ?? ''));
  const close = text(firstOf(block.close));
  const inside = layout.behind ? all(call, text(layout.behind)) : call;
  if (block.each) return many(all(open, inside, close), howMany, text(layout.between ?? '\n'));
  return all(open, many(inside, howMany), close);
}

/** Fills the tool's name into closers that name their element. */
function forTool(calls: TaggedSampling, name: string): TaggedSampling {
  return { ...calls, call: { ...calls.call, close: firstOf(calls.call.close).replaceAll('{name}', name) } };
}

function forKey(calls: TaggedSampling, key: string): TaggedSampling {
  if ('key' in calls.argument) return calls;
  const close = firstOf(calls.argument.close).replaceAll('{key}', key);
  return { ...calls, argument: { ...calls.argument, close } };
}

function callRule(tool: Tool, calls: TaggedSampling): Rule {
  const { call, layout = {} } = calls;
  const [before, behind = ''] = splitTemplate(firstOf(call.open));
  return all(
    text((call.before ?? '') + before + tool.name + behind + (layout.call ?? '')),
    argumentsRule(tool, calls),
    text(firstOf(call.close) + (call.behind ?? '')),
  );
}

function argumentsRule(tool: Tool, calls: TaggedSampling): Rule {
  const holds = (key: string) => holdsKey(key, calls);
  const odd = shapeOf(tool.parameters).members.filter(({ key }) => !holds(key));
  if (odd.some(({ required }) => required)) return jsonBody(tool, calls);
  const members = argumentMembers(tool, (key, schema, root) =>
    holds(key) ? argumentRule(key, schema, root, calls) : any(),
  );
  const tags = calls.emptyLine ? all(members, many(text('\n'), { from: 0, to: 1 })) : members;
  return odd.length > 0 ? any(tags, jsonBody(tool, calls)) : tags;
}

/** Whether a tag can hold this key. */
function holdsKey(key: string, calls: TaggedCalls): boolean {
  if (key === '' || key !== key.trim() || /["\\<>\n\r\u2028\u2029]/.test(key)) return false;
  return !closersOf(calls).some((closer) => key.includes(closer));
}

function jsonBody(tool: Tool, calls: TaggedCalls): Rule {
  const style: ValueStyle = { type: 'json', without: closersOf(calls) };
  return {
    type: 'limit',
    of: all(text('\n'), argumentsValue(tool, style), text(calls.layout?.argument || '\n')),
    message:
      'a required key cannot stand in a tag: the arguments are written as JSON, which is read as a repair',
  };
}

// --- arguments -----------------------------------------------------------------------------------------

function argumentRule(
  key: string,
  schema: OptionalSchema,
  root: OptionalSchema,
  calls: TaggedSampling,
): Rule {
  const { argument, layout = {} } = calls;
  const behind = layout.argument ?? '';
  if ('key' in argument) {
    const head = firstOf(argument.key.open) + key + firstOf(argument.key.close) + (layout.key ?? '');
    return all(
      text(head + firstOf(argument.value.open)),
      valueRule(schema, root, calls),
      text(firstOf(argument.value.close) + behind),
    );
  }
  const [before, after = ''] = splitTemplate(firstOf(argument.open));
  const close = text(firstOf(argument.close).replaceAll('{key}', key) + behind);
  if (calls.typed) return all(text(before + key), typedRule(schema, root, calls, after), close);
  const inside = calls.nested ? calls : forKey(calls, key);
  return all(text(before + key + after), valueRule(schema, root, inside), close);
}

function valueRule(schema: OptionalSchema, root: OptionalSchema, calls: TaggedSampling): Rule {
  if (calls.nested) return nestedRule(schema, root, calls, 0);
  if (calls.cdata === 'written' && onlyStrings(schema, root)) return cdataRule(schema, root, calls);
  const { lineLayout: lines } = calls;
  const without = [...withoutOf(calls), ...breaksThatCount(schema, calls)];
  const style: ValueStyle = { type: 'text', without, words: calls.words ?? 'json', lines };
  const value: Rule = { type: 'value', schema, root, style };
  return lines === 'written' ? all(text('\n'), value, text('\n')) : value;
}

/**
 * Lists line breaks that a value must not hold: the reader drops them as layout, and the text would miss its minLength.
 */
function breaksThatCount(schema: OptionalSchema, { lineLayout }: TaggedCalls): string[] {
  if (!lineLayout || !isObject(schema) || typeof schema.minLength !== 'number') return [];
  return lineLayout === 'read' ? ['\n', '\r'] : ['\r'];
}

function onlyStrings(schema: OptionalSchema, root: OptionalSchema): boolean {
  const types = acceptedTypes(schema, root);
  return types?.size === 1 && types.has('string');
}

/** Allows plain text without special characters, or any text in CDATA. */
function cdataRule(schema: OptionalSchema, root: OptionalSchema, calls: TaggedCalls): Rule {
  const value = (without: readonly string[]): Rule => ({
    type: 'value',
    schema,
    root,
    style: { type: 'text', without },
  });
  return any(
    value(['<', '&', '\n', '\r']),
    all(text('<![CDATA['), value([']]>', ...closersOf(calls)]), text(']]>')),
  );
}

const OTHERS: JsonSchema = { type: ['number', 'boolean', 'null', 'array', 'object'] };
const STRING: JsonSchema = { type: 'string' };

/** Allows `string="true"` with raw text, or `string="false"` with JSON, as the schema does. */
function typedRule(schema: OptionalSchema, root: OptionalSchema, calls: TaggedCalls, after: string): Rule {
  const without = closersOf(calls);
  const types = acceptedTypes(schema, root);
  const both = (type: JsonSchema): JsonSchema => (schema === undefined ? type : { allOf: [schema, type] });
  const typed = (isString: boolean, of: OptionalSchema, style: ValueStyle): Rule =>
    all(text(`${after} string="${isString}">`), { type: 'value', schema: of, root, style });
  const asText = (of: OptionalSchema) => typed(true, of, { type: 'text', without });
  const asJson = (of: OptionalSchema) => typed(false, of, { type: 'json', without });
  if (onlyStrings(schema, root)) return asText(schema);
  if (types && !types.has('string')) return asJson(schema);
  return any(asText(both(STRING)), asJson(both(OTHERS)));
}

// --- elements in elements ------------------------------------------------------------------------------

/** Deeper objects and lists are written as JSON, because recursive schemas have no end. */
const NESTED_DEPTH = 4;

/** Writes objects and lists whose members the schema names as elements; anything else as text or JSON. */
function nestedRule(schema: OptionalSchema, root: OptionalSchema, calls: TaggedCalls, depth: number): Rule {
  const plain: Rule = { type: 'value', schema, root, style: nestedStyle(calls) };
  const types = acceptedTypes(schema, root);
  if (types?.size !== 1 || depth >= NESTED_DEPTH || !isObject(schema) || 'enum' in schema) return plain;
  const element = (key: string, of: OptionalSchema) =>
    elementRule(key, nestedRule(of, root, calls, depth + 1), calls);
  if (types.has('array') && isObject(schema.items)) {
    const [from, to] = [countOf(schema.minItems) ?? 0, countOf(schema.maxItems)];
    const items = many(element(calls.nested ?? '', schema.items as JsonSchema), {
      from,
      ...(to !== undefined && { to }),
    });
    return depth === 0 ? any(items, plain) : from === 0 ? any(items, text('[]')) : items;
  }
  if (!types.has('object') || !isObject(schema.properties)) return plain;
  const parameters: JsonObject = { ...schema };
  const holds = Object.keys(schema.properties).every((key) => holdsKey(key, calls) && !/[\s/=']/.test(key));
  if (!holds) return plain;
  const members = argumentMembers({ name: '', parameters }, element);
  return depth === 0 ? any(members, plain) : members;
}

/** The style of all values of a dialect: one object, so that a grammar of thousands of values spells it once. */
function nestedStyle(calls: TaggedCalls): ValueStyle {
  const known = nestedStyles.get(calls);
  if (known) return known;
  const style: ValueStyle = { type: 'text', without: calls.namespace ? [calls.namespace] : closersOf(calls) };
  nestedStyles.set(calls, style);
  return style;
}

const nestedStyles = new WeakMap<TaggedCalls, ValueStyle>();

function elementRule(key: string, value: Rule, { argument }: TaggedCalls): Rule {
  if ('key' in argument) return value;
  const tag = (spellings: Spellings) => text(firstOf(spellings).replaceAll('{key}', key));
  return all(tag(argument.open), value, tag(argument.close));
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? Math.ceil(value) : undefined;
}

// --- what a raw value must not contain -----------------------------------------------------------------

function withoutOf(calls: TaggedCalls): readonly string[] {
  return calls.cdata ? ['<![CDATA[', ...closersOf(calls)] : closersOf(calls);
}

/**
 * Lists every closer, and everything a reader takes for one. Of a closer that holds the key, the part before the key.
 */
function closersOf(calls: TaggedCalls): readonly string[] {
  const known = closers.get(calls) ?? findClosers(calls);
  closers.set(calls, known);
  return known;
}

const closers = new WeakMap<TaggedCalls, readonly string[]>();

function findClosers({ block, call, argument }: TaggedCalls): string[] {
  const value = 'key' in argument ? argument.value : argument;
  const all = [value.close, call.close, block?.close ?? [], 'key' in argument ? argument.key.close : []];
  const heads = all.flatMap((one) => (typeof one === 'string' ? [one] : one)).map((one) => templateHead(one));
  return [...new Set(heads.map((head) => head.trim()))].filter((head) => head !== '');
}
