// Writes a dialect as a response template of Hugging Face (`response_template` in tokenizer_config.json), as far as the
// template can say it. response-template.ts reads such templates; what is written here is read back by it and compared.

import type {
  ExpressionCalls,
  JsonCalls,
  NamedCalls,
  Spellings,
  TaggedCalls,
  TagPair,
} from '../../engine/declaration.js';
import type { Dialect } from '../../engine/dialect.js';
import { parse } from '../../engine/parse.js';
import { Writer } from '../../engine/writer.js';
import { isObject, UsageError } from '../../model/index.js';
import { defineDialect } from './define-dialect.js';
import { fromResponseTemplate } from './response-template.js';

export interface ExportedTemplate {
  template: ResponseTemplate;
  /** What the dialect has and the template cannot say, in sentences. */
  left: string[];
}

interface ResponseTemplate {
  defaults: { role: 'assistant' };
  fields: Record<string, object>;
}

type Calls = JsonCalls | NamedCalls | TaggedCalls | ExpressionCalls;

const NAMED = { type: 'function', function: { name: '{name}', arguments: '{content}' } };

/** Throws a UsageError that says why, if the template has no words for the calls of the dialect. */
export function toResponseTemplate(dialect: Dialect): ExportedTemplate {
  const { constrain, traits, render } = dialect;
  if (!isObject(constrain) || !('family' in constrain))
    throw cannot(dialect, 'its calls are no declared family');
  const calls = constrain as Calls;
  const left: string[] = [];
  const toolCalls = callsField(dialect, calls, left);
  const template: ResponseTemplate = {
    defaults: { role: 'assistant' },
    fields: {
      ...(traits.reasoning && {
        thinking: { open: traits.reasoning.open, close: traits.reasoning.close, content: 'text' },
      }),
      tool_calls: toolCalls,
      content: { ...(render.stop.length > 0 && { close: [...render.stop] }), content: 'text' },
    },
  };
  if (traits.ids) left.push('The ids that calls carry are not read.');
  checkBack(dialect, template);
  return { template, left };
}

function callsField(dialect: Dialect, calls: Calls, left: string[]): object {
  switch (calls.family) {
    case 'json':
      return jsonField(dialect, calls, left);
    case 'named':
      return namedField(dialect, calls, left);
    case 'tags':
      return taggedField(dialect, calls, left);
    case 'expressions':
      return expressionField(dialect, calls);
  }
}

function jsonField(dialect: Dialect, calls: JsonCalls, left: string[]): object {
  const { keys, shape } = calls;
  if (keys === 'name-is-key') throw cannot(dialect, 'the name of a tool is a key of its calls');
  if (first(calls.open) === '') throw cannot(dialect, 'its calls begin without a marker');
  if (calls.wrapper !== undefined || shape === 'objects' || calls.python)
    throw cannot(dialect, 'its calls are not one JSON object or list between markers');
  if (calls.bare) left.push('Calls without their opener are not read.');
  const [name, args] = [first(keys.name), first(keys.arguments)];
  const isUsual = name === 'name' && args === 'arguments' && shape === 'object';
  return {
    open: first(calls.open),
    ...closing(calls.close),
    ...(shape === 'object' ? { repeats: true } : { transform_each: true }),
    content: 'json',
    transform: {
      type: 'function',
      function: isUsual ? '{content}' : { name: `{${name}}`, arguments: `{${args}}` },
    },
  };
}

function namedField(dialect: Dialect, calls: NamedCalls, left: string[]): object {
  const separator = first(calls.separator);
  if (separator === '') throw cannot(dialect, 'nothing stands between the name and the arguments');
  if (calls.fence) throw cannot(dialect, 'the arguments are in a code fence');
  if (calls.section) left.push('The frame around all calls is read as text.');
  if (calls.prefix !== undefined) left.push('The prefix of names is read as a part of them.');
  return {
    open_pattern: `${literal(first(calls.open))}\\s*(?P<name>[\\w.:-]+)\\s*${literal(separator)}`,
    ...closing(calls.close),
    repeats: true,
    content: 'json',
    transform: NAMED,
  };
}

function taggedField(dialect: Dialect, calls: TaggedCalls & { typed?: boolean }, left: string[]): object {
  const { argument, block, call } = calls;
  if ('key' in argument) throw cannot(dialect, 'keys and values have elements of their own');
  if (calls.namespace !== undefined || calls.nested !== undefined)
    throw cannot(dialect, 'its tags have a token before them, or arguments are nested elements');
  if (calls.typed) left.push('The attribute that states the type of a value is not read.');
  if (block && !block.each) left.push('Of a block with several calls only the first is read.');
  left.push('The types of values come from the schema here; the template gives texts.');
  const [before, behind] = first(call.open).split('{name}') as [string, string];
  const outer = block ? `${literal(first(block.open))}\\s*` : '';
  return {
    open_pattern: `${outer}${literal(before)}(?P<name>[\\w.:-]+)${literal(behind)}`,
    ...closing(block ? block.close : call.close),
    repeats: true,
    content: 'xml-inline',
    content_args: { tag_pattern: tagPattern(dialect, argument) },
    transform: NAMED,
  };
}

function tagPattern(dialect: Dialect, { open, close }: TagPair): string {
  const [before, behind] = first(open).split('{key}');
  if (behind === undefined) throw cannot(dialect, 'the key of an argument is not in its opening tag');
  return `${literal(before ?? '')}(?P<key>[\\w.-]+)${literal(behind)}\\s*(?P<value>.*?)\\s*${literal(first(close))}`;
}

function expressionField(dialect: Dialect, calls: ExpressionCalls): object {
  if (calls.style !== 'braces' || calls.several !== 'each')
    throw cannot(dialect, 'its calls are expressions of Python');
  const open = first(calls.open ?? '') + (calls.prefix ?? '');
  if (open === '') throw cannot(dialect, 'its calls begin without a marker');
  return {
    open_pattern: `${literal(open)}(?P<name>[\\w.:-]+)`,
    ...closing(calls.close),
    repeats: true,
    content: 'json',
    content_args: {
      unquoted_keys: true,
      ...(calls.quote !== undefined && { string_delims: [[calls.quote, calls.quote]] }),
    },
    transform: NAMED,
  };
}

function closing(close: Spellings | undefined): { close?: string } {
  return close === undefined || first(close) === '' ? {} : { close: first(close) };
}

function first(all: Spellings): string {
  return typeof all === 'string' ? all : (all[0] ?? '');
}

/** Escapes a text for a regular expression of Python; white space in it may be missing. */
function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll(/\s+/g, '\\s*');
}

/** Throws unless the template reads an example of the dialect as the dialect does. */
function checkBack(dialect: Dialect, template: ResponseTemplate): void {
  const tools = [
    { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
  ];
  const calls = [{ type: 'tool-call' as const, id: 'a', name: 'get_weather', input: { city: 'Rome' } }];
  const out = new Writer(dialect.markers, 'exact');
  dialect.render.calls(out, calls, { tools: [], afterText: false });
  const theirs = defineDialect(fromResponseTemplate(template, 'exported'));
  const read = parse(theirs, out.text, { tools }).calls.map(({ name, input }) => ({ name, input }));
  if (JSON.stringify(read) !== JSON.stringify([{ name: 'get_weather', input: { city: 'Rome' } }]))
    throw cannot(dialect, 'what the template would say reads a call of it differently');
}

function cannot({ name }: Dialect, why: string): UsageError {
  return new UsageError('bad-dialect', `${name} cannot be said as a response template: ${why}`);
}
