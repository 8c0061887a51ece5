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
import { renderPrompt } from '../../engine/renderer.js';
import { Writer } from '../../engine/writer.js';
import { isObject, UsageError } from '../../model/index.js';
import { defineDialect } from './define-dialect.js';
import { fromResponseTemplate } from './response-template.js';

export interface ExportedTemplate {
  template: ResponseTemplate;
  /** What the dialect has and the template cannot say, in sentences. */
  left: string[];
}

interface ResponseTemplate extends Anchor {
  defaults: { role: 'assistant' };
  fields: Record<string, object>;
}

/** Where the answer begins: the prompt before it is not read. */
interface Anchor {
  start_anchor?: string;
  start_anchor_pattern?: string;
}

type Calls = JsonCalls | NamedCalls | TaggedCalls | ExpressionCalls;

const NO_MARKER = 'its calls begin without a marker, and the format wants an opener';
/** Text in several pieces, which would otherwise replace each other. */
const JOINED = { repeats: true, join: '', content: 'text' };
const CDATA = ['(?:<!\\[CDATA\\[)?', '(?:\\]\\]>)?'] as const;
const NAMED = { type: 'function', function: { name: '{name}', arguments: '{content}' } };

/** Throws a UsageError that says why, if the template has no words for the calls of the dialect. */
export function toResponseTemplate(dialect: Dialect): ExportedTemplate {
  const { constrain, traits, render } = dialect;
  if (!isObject(constrain) || !('family' in constrain))
    throw cannot(
      dialect,
      `its calls have a grammar of their own (${dialect.about.replace(/\.$/, '')}), and the format has JSON, a name before JSON, tags and braces between fixed markers`,
    );
  const calls = constrain as Calls;
  const left: string[] = [];
  const toolCalls = callsField(dialect, calls, left);
  const template: ResponseTemplate = {
    defaults: { role: 'assistant' },
    ...anchorOf(dialect, left),
    fields: {
      ...(traits.reasoning && {
        thinking: { open: traits.reasoning.open, close: traits.reasoning.close, ...JOINED },
      }),
      tool_calls: toolCalls,
      content: { ...(render.stop.length > 0 && { close: [...render.stop] }), ...JOINED },
    },
  };
  left.push('White space around the texts beside calls is not kept.');
  if (traits.ids) left.push('The ids that calls carry are not read.');
  checkBack(dialect, template);
  return { template, left };
}

/** Gives what opens the assistant's turn in the prompt. A thought that is opened behind it belongs to the answer. */
function anchorOf(dialect: Dialect, left: string[]): Anchor {
  const { render, traits } = dialect;
  const request = { messages: [{ role: 'user', content: 'Hello.' }] };
  const [ended = '', begun = ''] = [false, true].map((generate) =>
    render.prompt ? renderPrompt(dialect, request, { generate }).text : '',
  );
  const opener = begun.slice(ended.length);
  const anchor = traits.reasoning ? opener.split(traits.reasoning.open)[0] : opener;
  if (anchor) return { start_anchor: anchor };
  if (traits.reasoning) left.push('A thought that the prompt opens is read as text.');
  return { start_anchor_pattern: '\\Z' };
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
  if (keys === 'name-is-key')
    throw cannot(
      dialect,
      'the name of a tool is itself a key of the JSON, and the format wants a key whose value it is',
    );
  if (first(calls.open) === '') throw cannot(dialect, NO_MARKER);
  if (calls.wrapper !== undefined)
    throw cannot(
      dialect,
      `the list of calls is in an object, under the key ${JSON.stringify(calls.wrapper)}`,
    );
  if (shape === 'objects')
    throw cannot(
      dialect,
      'several JSON objects stand between one pair of markers, and the format reads one value there',
    );
  if (calls.python) throw cannot(dialect, "its calls are written with Python's literals, which are no JSON");
  if (calls.bare) left.push('Calls without their opener are not read.');
  const [name, args] = [first(keys.name), first(keys.arguments)].map((key) =>
    shape === 'object' ? `content.${key}` : key,
  );
  const isUsual = name === 'content.name' && args === 'content.arguments';
  return {
    ...opening(first(calls.open), shape),
    ...closing(dialect, calls),
    ...(shape === 'object' ? { repeats: true } : { transform_each: true }),
    content: 'json',
    transform: {
      type: 'function',
      function: isUsual ? '{content}' : { name: `{${name}}`, arguments: `{${args}}` },
    },
  };
}

function namedField(dialect: Dialect, calls: NamedCalls, left: string[]): object {
  const { section, separator: spellings } = calls;
  const separator = first(spellings);
  if (separator === '') throw cannot(dialect, 'nothing stands between the name and the arguments');
  if (calls.fence)
    throw cannot(dialect, 'the arguments are in a code fence, which would be read as part of the JSON');
  namedParts(dialect, calls, left);
  return {
    open_pattern: `${maybe(section?.open)}${literal(first(calls.open))}\\s*(?P<name>[\\w.:-]+)\\s*${literal(separator)}`,
    ...closing(dialect, calls, section?.close),
    repeats: true,
    content: 'json',
    transform: NAMED,
  };
}

/** Refuses what stands beside the name and would be read as a part of it, and notes what is not read. */
function namedParts(dialect: Dialect, { prefix, id }: NamedCalls, left: string[]): void {
  if (id && 'before' in id)
    throw cannot(
      dialect,
      `an id and ${id.before} stand before the name of each call, and the format has no place for an id`,
    );
  const around = [
    ...(prefix === undefined ? [] : [`${first(prefix)} before it`]),
    ...(id && 'index' in id ? [`${first(id.index)} and a number behind it`] : []),
  ];
  if (around.length > 0)
    throw cannot(
      dialect,
      `the name of a tool is written with ${around.join(' and ')}, which would be read as part of the name`,
    );
  if (id && 'open' in id) left.push(`A call with an id (${id.open} behind the name) is not read.`);
}

function taggedField(dialect: Dialect, calls: TaggedCalls & { typed?: boolean }, left: string[]): object {
  const { argument, block, call } = calls;
  if ('key' in argument)
    throw cannot(
      dialect,
      'the key of an argument has an element of its own, and the format wants it in the opening tag',
    );
  if (calls.namespace !== undefined)
    throw cannot(dialect, `${calls.namespace} stands before every tag, and the format reads plain tags`);
  if (calls.nested !== undefined)
    throw cannot(
      dialect,
      'objects and lists are elements inside the element of an argument, and the format reads text there',
    );
  if (calls.typed)
    throw cannot(
      dialect,
      'an attribute behind the key states the type of each value, and the format reads the key alone',
    );
  if (call.before !== undefined)
    throw cannot(
      dialect,
      `${call.before.trim()} stands before each call inside the block, and the format has one opener`,
    );
  if (calls.lineLayout === 'read')
    left.push('A line break at the beginning and the end of a value is kept; here such a pair is layout.');
  left.push(
    'The types of values come from the schema: parse_response needs the tools, and gives texts without them.',
  );
  const [before, behind] = first(call.open).split('{name}') as [string, string];
  // A block for each call is a part of it; a block around several calls begins at its first and ends at its last.
  const outer = block?.each ? `${literal(first(block.open))}\\s*` : maybe(block?.open);
  return {
    open_pattern: `${outer}${literal(before)}(?P<name>[\\w.:-]+)${literal(behind)}`,
    ...(block?.each ? closing(dialect, block) : closing(dialect, call, block?.close)),
    repeats: true,
    content: 'xml-inline',
    content_args: { tag_pattern: tagPattern(dialect, argument, calls) },
    transform: NAMED,
  };
}

function tagPattern(dialect: Dialect, { open, close }: TagPair, { lineLayout, cdata }: TaggedCalls): string {
  const [before, behind] = first(open).split('{key}');
  if (behind === undefined) throw cannot(dialect, 'the key of an argument is not in its opening tag');
  const line = lineLayout === 'written' ? '\\n?' : '';
  const [cdataOpen, cdataClose] = cdata === 'written' ? CDATA : ['', ''];
  const value = `${line}${cdataOpen}(?P<value>.*?)${cdataClose}${line}`;
  return `${literal(before ?? '')}(?P<key>[\\w.-]+)${literal(behind)}${value}${literal(first(close))}`;
}

function expressionField(dialect: Dialect, calls: ExpressionCalls): object {
  if (calls.style !== 'braces' || calls.several !== 'each')
    throw cannot(
      dialect,
      'its calls are expressions of Python, f(x="a"), and the format reads JSON and tags',
    );
  const open = first(calls.open ?? '') + (calls.prefix ?? '');
  if (open === '') throw cannot(dialect, NO_MARKER);
  return {
    open_pattern: `${literal(open)}(?P<name>[\\w.:-]+)`,
    ...closing(dialect, { open, close: calls.close }),
    repeats: true,
    content: 'json',
    content_args: {
      unquoted_keys: true,
      ...(calls.quote !== undefined && { string_delims: [[calls.quote, calls.quote]] }),
    },
    transform: NAMED,
  };
}

/** An opener that ends in the bracket of a list leaves it to the JSON. */
function opening(open: string, shape: JsonCalls['shape']): { open: string } | { open_pattern: string } {
  if (shape !== 'list' || !open.endsWith('[')) return { open };
  return { open_pattern: `${literal(open.slice(0, -1))}\\s*(?=\\[)` };
}

/** Gives the closer, and that of a frame which may follow it. Without one, the next call or the end of the turn closes. */
function closing(
  { render }: Dialect,
  { open, close = '' }: { open: Spellings; close?: Spellings | undefined },
  outer?: Spellings,
): { close: string } | { close_pattern: string } {
  if (outer !== undefined)
    return { close_pattern: `${literal(first(close))}(?:\\s*${literal(first(outer))})?` };
  if (first(close) !== '') return { close: first(close) };
  return { close_pattern: `(?=${[first(open), ...render.stop].map(literal).join('|')})` };
}

/** A frame that may stand before what follows. */
function maybe(open: Spellings | undefined): string {
  return open === undefined ? '' : `(?:${literal(first(open))}\\s*)?`;
}

function first(all: Spellings): string {
  return typeof all === 'string' ? all : (all[0] ?? '');
}

/** Escapes a text for a regular expression of Python. Line breaks in it may be missing; a blank parts attributes. */
function literal(text: string): string {
  const lines = text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').split('\n');
  return lines.map((line) => (lines.length > 1 ? line.trim() : line)).join('\\s*');
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
    throw cannot(
      dialect,
      `a template made from it reads ${JSON.stringify(out.text)} as ${JSON.stringify(read)}`,
    );
}

function cannot({ name }: Dialect, why: string): UsageError {
  return new UsageError('bad-dialect', `${name} cannot be said as a response template: ${why}`);
}
