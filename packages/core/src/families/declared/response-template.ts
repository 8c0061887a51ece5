// Translates Hugging Face's response templates (`response_template` in tokenizer_config.json) into our declarations.
//
//   fields.thinking    ──>  reasoning          fields.content   ──>  frames or ends
//   fields.tool_calls  ──>  calls: `json` (JSON in markers), `named` (the name in the opener), `tags` (xml-inline),
//                           `expressions` (JSON with bare keys and its own quotes)
//
// What cannot be translated is an error that names the field. Nothing in the file is run.

import type {
  CallsDeclaration,
  DialectDeclaration,
  JsonCalls,
  ReasoningDeclaration,
  Spellings,
} from '../../engine/declaration.js';
import { isObject, UsageError } from '../../model/index.js';
import { patternText } from './pattern-text.js';

interface Field {
  path: string;
  open: string[];
  close: string[];
  /** Whether the opener came from a pattern: then it may hold `{name}`. */
  pattern: boolean;
  content: string;
  arguments: Record<string, unknown>;
  transform: unknown;
  each: boolean;
  repeats: boolean;
}

/** Reads a template, or a whole tokenizer_config.json that has one. */
export function fromResponseTemplate(source: unknown, name: string): DialectDeclaration {
  const template = isObject(source) && isObject(source.response_template) ? source.response_template : source;
  const fields = isObject(template) && isObject(template.fields) ? template.fields : undefined;
  if (!fields)
    throw bad('expected a response template with `fields`, or a tokenizer_config.json that has one', '');
  if (!isObject(fields.tool_calls))
    throw bad('there is no such field, so the format has no calls to read', 'fields.tool_calls');
  const thinking = fields.thinking ?? fields.reasoning ?? fields.reasoning_content;
  const content = isObject(fields.content) ? readField(fields.content, 'fields.content') : undefined;
  return {
    name,
    about: 'Made from a response template of Hugging Face.',
    calls: callsOf(readField(fields.tool_calls, 'fields.tool_calls')),
    ...(isObject(thinking) && { reasoning: reasoningOf(readField(thinking, 'fields.thinking')) }),
    ...framesOf(content),
  };
}

/** Gives the frame around the text. Without an opener, the closer ends the turn. */
function framesOf(content: Field | undefined): Pick<DialectDeclaration, 'frames' | 'ends'> {
  if (!content) return {};
  const { open, close } = content;
  if (open.length === 0) return { ends: close };
  const [closer = ''] = close;
  return { frames: open.map((opener) => ({ open: opener.trim(), close: closer.trim() })) };
}

function reasoningOf({ open, close, path }: Field): ReasoningDeclaration {
  const [opener] = open.filter((text) => text !== '');
  const [closer] = close;
  if (opener === undefined || closer === undefined)
    throw bad('reasoning must have an opener and a closer that are text', path);
  return { open: opener.trimEnd(), close: closer.trim() };
}

// ---------------------------------------------------------------- calls

function callsOf(field: Field): CallsDeclaration {
  if (field.open.length === 0)
    throw bad('the calls have no opener; expected `open` or `open_pattern`', field.path);
  if (field.content === 'xml-inline') return taggedCalls(field);
  if (field.content !== 'json')
    throw bad(
      `calls written as ${JSON.stringify(field.content)} cannot be said; expected json or xml-inline`,
      field.path,
    );
  if (!field.pattern || !field.open.some((text) => text.includes('{name}'))) return jsonCalls(field);
  const special = field.arguments.unquoted_keys === true || Array.isArray(field.arguments.string_delims);
  return special ? expressionCalls(field) : namedCalls(field);
}

function jsonCalls(field: Field): JsonCalls {
  const keys = keysOf(field);
  return {
    family: 'json',
    open: spellings(field.open.map((text) => text.trim())),
    ...closeOf(field),
    shape: field.each ? 'list' : 'object',
    keys,
  };
}

/** Gives where the transform takes name and arguments from: `{tool_name}`, `{content.args}`, or the whole content. */
function keysOf({ transform, path }: Field): { name: string; arguments: string } {
  const inner = isObject(transform) ? transform.function : undefined;
  if (transform === undefined || inner === '{content}') return { name: 'name', arguments: 'arguments' };
  const name = isObject(inner) ? placeIn(inner.name) : undefined;
  const args = isObject(inner) ? placeIn(inner.arguments) : undefined;
  if (name === undefined || args === undefined)
    throw bad(
      'expected a transform that names one key for the name and one for the arguments',
      `${path}.transform`,
    );
  return { name, arguments: args };
}

function placeIn(value: unknown): string | undefined {
  const found = typeof value === 'string' ? /^\{(?:content\.)?([\w-]+)\}$/.exec(value) : null;
  return found?.[1];
}

function namedCalls(field: Field): CallsDeclaration {
  const [before, behind] = aroundName(field);
  if (behind.trim() === '')
    throw bad(
      'nothing stands between the name and the arguments; expected a separator',
      `${field.path}.open_pattern`,
    );
  return { family: 'named', open: before, separator: behind.trim(), ...closeOf(field) };
}

function expressionCalls(field: Field): CallsDeclaration {
  const [before] = aroundName(field);
  const at = Math.max(before.lastIndexOf('>'), before.lastIndexOf(']'), before.lastIndexOf('|')) + 1;
  const delims = field.arguments.string_delims;
  const [pair] = Array.isArray(delims) ? delims : [];
  const [quote, other] = Array.isArray(pair) ? pair : [];
  if (quote !== other)
    throw bad('strings that open and close differently cannot be said', `${field.path}.content_args`);
  return {
    family: 'expressions',
    open: before.slice(0, at),
    ...closeOf(field),
    style: 'braces',
    several: 'each',
    ...(before.slice(at) !== '' && { prefix: before.slice(at) }),
    ...(typeof quote === 'string' && { quote }),
  };
}

function aroundName({ open, path }: Field): [string, string] {
  const [first = ''] = open;
  const [before = '', behind = ''] = first.split('{name}');
  if (before.trim() === '') throw bad('expected text before the name', `${path}.open_pattern`);
  return [before, behind];
}

function taggedCalls(field: Field): CallsDeclaration {
  const path = `${field.path}.content_args.tag_pattern`;
  const { tag_pattern: pattern } = field.arguments;
  if (typeof pattern !== 'string') throw bad('expected a pattern with the groups key and value', path);
  const [open = '', close = ''] = patternText(pattern, path).split('{value}');
  const [before, behind] = aroundName(field);
  const callAt = before.lastIndexOf('<');
  const [closer = ''] = field.close;
  if (!open.includes('{key}') || close === '' || callAt < 0 || closer === '')
    throw bad(
      'expected tags around each argument, with its key in the opening one, and a closer behind the call',
      path,
    );
  // White space around the value is skipped by the pattern: it is layout.
  const [, space] = /\\([sn])[*+?]*\(\?P?<value>/.exec(pattern) ?? [];
  const layout = {
    ...(space && ({ lineLayout: space === 'n' ? 'written' : 'read' } as const)),
    ...(pattern.includes('CDATA') && ({ cdata: 'read' } as const)),
  };
  const block = before.slice(0, callAt);
  const call = { open: `${before.slice(callAt)}{name}${behind}`, close: closer };
  if (block === '') return { family: 'tags', call, argument: { open, close }, ...layout };
  // The template does not give the closer of the element inside the block; the element's name implies it.
  const element = /^<([\w:.-]+)/.exec(before.slice(callAt))?.[1] ?? '';
  return {
    family: 'tags',
    block: { open: block, close: closer, each: true },
    call: { open: call.open, close: `</${element}>` },
    argument: { open, close },
    ...layout,
  };
}

function closeOf({ close }: Field): { close?: Spellings } {
  return close.length === 0 ? {} : { close: spellings(close.map((text) => text.trim())) };
}

function spellings(all: readonly string[]): Spellings {
  const [first = ''] = all;
  return all.length === 1 ? first : all;
}

// ---------------------------------------------------------------- fields

function readField(value: object, path: string): Field {
  const field = value as Record<string, unknown>;
  const open = delimiter(field, 'open', path);
  const close = delimiter(field, 'close', path);
  return {
    path,
    open,
    close,
    pattern: typeof field.open_pattern === 'string',
    content: typeof field.content === 'string' ? field.content : 'text',
    arguments: isObject(field.content_args) ? (field.content_args as Record<string, unknown>) : {},
    transform: field.transform,
    each: field.transform_each === true,
    repeats: field.repeats === true,
  };
}

function delimiter(field: Record<string, unknown>, key: 'open' | 'close', path: string): string[] {
  const literal = field[key];
  if (typeof literal === 'string') return [literal];
  if (Array.isArray(literal)) return literal.filter((one) => typeof one === 'string');
  const pattern = field[`${key}_pattern`];
  const text = typeof pattern === 'string' ? patternText(pattern, `${path}.${key}_pattern`) : '';
  return text === '' ? [] : [text];
}

function bad(message: string, path: string): UsageError {
  return new UsageError('bad-dialect', message, path === '' ? undefined : path);
}
