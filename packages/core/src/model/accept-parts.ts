// Reads the parts of a message in the spellings of the APIs: text, reasoning, calls. Results: accept-results.ts.

import type { ReasoningPart, TextPart, ToolCall } from './conversation.js';
import { UsageError } from './errors.js';
import { extraOf, type Fields, fieldsOf, notExpected, pick, toExact } from './fields.js';
import { ExactNumber, type ExactValue, isObject, type JsonObject, toPlain } from './json.js';
import { parseExact } from './parse-exact.js';
import { stringifyJson } from './stringify-json.js';

/** One part as it arrived. */
export interface Incoming {
  value: unknown;
  fields: Fields;
  /** As written, or `text` for a part that is only text. */
  type: string;
  path: string;
  /** Whether it belongs to one of our own messages: then its `extra` member is our `extra`. */
  own: boolean;
}

/** The types of parts that are text, in the words of the APIs. */
export const textTypes: readonly unknown[] = ['text', 'input_text', 'output_text'];
const reasoningTypes = ['reasoning', 'thinking', 'redacted_thinking'];
const callTypes = ['tool-call', 'tool_use'];

/** Gives the parts of a message's content: none, one string, or a list. */
export function incomingParts(content: unknown, path: string, own: boolean): Incoming[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [incomingPart(content, path, own)];
  if (Array.isArray(content)) return content.map((part, at) => incomingPart(part, `${path}[${at}]`, own));
  throw notExpected(path, 'a string, a list of parts, or null', content);
}

function incomingPart(value: unknown, path: string, own: boolean): Incoming {
  if (typeof value === 'string') {
    const fields = new Map([['text', value]]);
    return { value, fields, type: 'text', path, own };
  }
  const fields = fieldsOf(value);
  if (fields === undefined) throw notExpected(path, 'a part: {type, …}', value);
  const type = pick(fields, 'type') ?? (typeof fields.get('text') === 'string' ? 'text' : undefined);
  if (typeof type !== 'string') throw notExpected(`${path}.type`, 'the type of a part', type);
  refuseUiPart(type, path);
  return { value, fields, type, path, own };
}

/** Refuses the AI SDK's UI parts (`tool-weather`, `dynamic-tool`). Keeping them as unknown parts would lose calls. */
function refuseUiPart(type: string, path: string): void {
  const known = ['tool-call', 'tool-result', 'tool-error', 'tool-approval-request', 'tool-approval-response'];
  if (type !== 'dynamic-tool' && (!type.startsWith('tool-') || known.includes(type))) return;
  const advice = 'this is a UIMessage of the AI SDK: pass what convertToModelMessages makes of it';
  throw new UsageError('bad-conversation', advice, path);
}

export const isText = (part: Incoming): boolean => textTypes.includes(part.type);
export const isReasoning = (part: Incoming): boolean => reasoningTypes.includes(part.type);
export const isCall = (part: Incoming): boolean => callTypes.includes(part.type);

export function toText({ fields, path, own }: Incoming): TextPart {
  const text = fields.get('text');
  if (typeof text !== 'string') throw notExpected(`${path}.text`, 'a string', text);
  const aside = own && fields.get('aside') === true;
  const known = own ? ['type', 'text', 'aside'] : ['type', 'text'];
  const extra = extraOf(fields, known, own, path);
  return { type: 'text', text, ...(aside && { aside }), ...(extra && { extra }) };
}

/** Reads the AI SDK's `reasoning`, Anthropic's `thinking` with a signature and `redacted_thinking` without text. */
export function toReasoning({ fields, type, path, own }: Incoming): ReasoningPart {
  const key = type === 'thinking' ? 'thinking' : 'text';
  const text = type === 'redacted_thinking' ? '' : plainText(fields.get(key), `${path}.${key}`);
  // The type of redacted reasoning is kept in `extra`: its data means nothing without it.
  const known = type === 'redacted_thinking' ? [] : ['type', key];
  const extra = extraOf(fields, known, own, path);
  return { type: 'reasoning', text, ...(extra && { extra }) };
}

/** Reads a string, or (Mistral's reasoning) a list of text parts. */
function plainText(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  return incomingParts(value, path, false)
    .map((part) => toText(part).text)
    .join('');
}

/** Reads a call among the parts: Anthropic's {id, name, input}, AI SDK's {toolCallId, toolName, input}, ours. */
export function toCall({ fields, path, own }: Incoming): ToolCall {
  const known = [
    'type',
    'id',
    'toolCallId',
    'name',
    'toolName',
    'input',
    'args',
    ...(own ? ['raw', 'broken', 'freeform'] : []),
  ];
  const extra = extraOf(fields, known, own, path);
  const id = pick(fields, 'id', 'toolCallId');
  const name = callName(pick(fields, 'name', 'toolName'), `${path}.name`);
  const input = readInput(pick(fields, 'input', 'args'), `${path}.input`);
  const raw = own ? fields.get('raw') : undefined;
  const broken = own ? fields.get('broken') : undefined;
  return {
    type: 'tool-call',
    id: optionalId(id, `${path}.id`),
    name,
    ...(typeof raw === 'string' ? preferRaw(input, raw) : input),
    ...(typeof broken === 'string' && { broken }),
    ...(own && fields.get('freeform') === true && { freeform: true }),
    ...(extra && { extra }),
  };
}

/** Reads a call beside the content: OpenAI's {id, type, function: {name, arguments}}, or flat, as templates take it. */
export function toListedCall(value: unknown, path: string): ToolCall {
  const fields = fieldsOf(value);
  const inner = fields && (fieldsOf(pick(fields, 'function')) ?? fields);
  if (fields === undefined || inner === undefined) {
    throw notExpected(path, 'a call: {id, type, function: {name, arguments}}', value);
  }
  const innerPath = inner === fields ? path : `${path}.function`;
  const name = callName(inner.get('name'), `${innerPath}.name`);
  const known = ['id', 'type', 'function', 'name', 'arguments'];
  const extra = extraOf(new Map([...fields, ...inner]), known, false, path);
  return {
    type: 'tool-call',
    id: optionalId(pick(fields, 'id'), `${path}.id`),
    name,
    ...readInput(inner.get('arguments'), `${innerPath}.arguments`),
    ...(extra && { extra }),
  };
}

function callName(name: unknown, path: string): string {
  if (typeof name === 'string' && name !== '') return name;
  throw notExpected(path, 'the name of the tool that was called', name);
}

/** Gives the id, or '' where it is missing and linkCalls must make one. */
export function optionalId(id: unknown, path: string): string {
  if (id === undefined || id === null) return '';
  if (typeof id === 'string') return id;
  throw notExpected(path, 'an id as a string', id);
}

interface Input {
  input: JsonObject;
  raw: string;
}

/** Reads arguments from JSON text (kept to the letter) or from an object. Absent or blank means no arguments. */
function readInput(value: unknown, path: string): Input {
  if (value === undefined || value === null) return { input: {}, raw: '{}' };
  if (typeof value !== 'string') {
    const exact = toExact(value, 'bad-conversation', path);
    return { input: inputOf(exact, path), raw: stringifyJson(exact, 'compact') };
  }
  const raw = value.trim() === '' ? '{}' : value;
  return { input: inputOf(parseArguments(raw, path), path), raw };
}

function inputOf(value: ExactValue, path: string): JsonObject {
  if (isObject(value) && !(value instanceof ExactNumber)) return toPlain(value) as JsonObject;
  throw notExpected(path, 'arguments that are a JSON object', value);
}

function parseArguments(text: string, path: string): ExactValue {
  try {
    return parseExact(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError('bad-conversation', `expected arguments that are a JSON object: ${reason}`, path);
  }
}

/** Prefers the `raw` text of our own call. If the input was changed since, that text is stale and is written anew. */
function preferRaw(made: Input, raw: string): Input {
  try {
    const written = stringifyJson(toPlain(parseExact(raw)), 'compact');
    return written === stringifyJson(made.input, 'compact') ? { input: made.input, raw } : made;
  } catch {
    return made;
  }
}
