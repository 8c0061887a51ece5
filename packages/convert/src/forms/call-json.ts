// Reads calls from JSON text, in the spellings of published data:
//
//     {"name": "get_weather", "arguments": {"city": "Oslo"}}          most
//     [{"name": "f", "arguments": {}}, {"name": "g", "arguments": {}}]   several at once
//     {"name": "send", "arguments": '{"text": "let's meet"}'}         Glaive: quoted, and nothing in it escaped

import type { ExactValue, JsonObject, RepairCode, ToolCall } from '@dragoman/core/internal';
import { stringifyJson, toPlain } from '@dragoman/core/internal';
import { isPlainValue } from '../quick/plain-json.js';
import type { Row } from './form.js';
import { type Generous, readGenerously, readStrictly } from './generous-json.js';
import { addExtra, isRow, memberOf } from './members.js';

export interface ReadCalls {
  calls: ToolCall[];
  repairs: RepairCode[];
}

const knownKeys = new Set(['name', 'arguments', 'id', 'type', 'function', 'parameters', 'args', 'input']);

/** Reads calls; undefined if the text is no call, or its arguments cannot be read. */
export function readCalls(text: string): ReadCalls | undefined {
  if (!text.includes('{')) return undefined;
  const quoted = readQuoted(text);
  if (quoted) return quoted;
  const read = readGenerously(text);
  return read && callsOf(read);
}

/** Reads calls as `readCalls` does, from a parsed value. */
export function callsOf({ value, repairs }: Generous): ReadCalls | undefined {
  const items = Array.isArray(value) ? value : [value];
  const found: ReadCalls = { calls: [], repairs: [...repairs] };
  for (const item of items) {
    const call = toCall(item, found.repairs);
    if (!call) return undefined;
    found.calls.push(call);
  }
  return found.calls.length > 0 ? found : undefined;
}

/** Makes a call. Without an id it is left empty for linkCalls. */
export function makeCall(name: string, input: ExactValue, id = ''): ToolCall {
  if (isPlainValue(input)) return { type: 'tool-call', id, name, input: input as JsonObject };
  return {
    type: 'tool-call',
    id,
    name,
    input: toPlain(input) as JsonObject,
    raw: stringifyJson(input, 'compact'),
  };
}

function toCall(value: ExactValue, repairs: RepairCode[]): ToolCall | undefined {
  if (!isRow(value)) return undefined;
  const wrapped = memberOf(value, 'function');
  const inner = isRow(wrapped) ? wrapped : value;
  const name = memberOf(inner, 'name') ?? (typeof wrapped === 'string' ? wrapped : undefined);
  const input = argumentsOf(inner, repairs);
  if (typeof name !== 'string' || name === '' || input === undefined) return undefined;
  const id = memberOf(value, 'id');
  const call = makeCall(name, input, typeof id === 'string' ? id : '');
  addExtra(call, value, knownKeys);
  return call;
}

function argumentsOf(call: Row, repairs: RepairCode[]): Row | undefined {
  const key = ['arguments', 'parameters', 'args', 'input'].find((name) => memberOf(call, name) !== undefined);
  if (key === undefined) {
    repairs.push('missing-arguments');
    return {};
  }
  if (key !== 'arguments') repairs.push('other-key');
  const value = memberOf(call, key);
  if (typeof value !== 'string') return isRow(value) ? value : undefined;
  repairs.push('arguments-as-string');
  if (value.trim() === '') return {};
  const read = readGenerously(value);
  repairs.push(...(read?.repairs ?? []));
  return isRow(read?.value) ? read.value : undefined;
}

// ---------------------------------------------------------------- Glaive's quotes

/** Takes the text between the first quote and the last as JSON: apostrophes in it are not escaped. */
function readQuoted(text: string): ReadCalls | undefined {
  const open = openingQuote(text);
  if (open < 0) return undefined;
  const close = text.lastIndexOf("'");
  const head = readStrictly(`${text.slice(0, text.lastIndexOf(':', open))}: null}`);
  const end = closing(text.slice(close + 1).trim());
  if (close <= open || !head || !end || !isRow(head.value)) return undefined;
  const name = memberOf(head.value, 'name');
  const body = readBody(text.slice(open + 1, close));
  if (typeof name !== 'string' || name === '' || !body || !isRow(body.value)) return undefined;
  return { calls: [makeCall(name, body.value)], repairs: [...end, ...body.repairs] };
}

/** Finds the quote after `"arguments": `; -1 if there is none. In a string the key's quotes would be escaped. */
function openingQuote(text: string): number {
  const key = text.indexOf('"arguments"');
  if (key < 0) return -1;
  let at = key + '"arguments"'.length;
  while (' \n\t:'.includes(text.charAt(at)) && at < text.length) at += 1;
  return text.charAt(at) === "'" ? at : -1;
}

function closing(rest: string): RepairCode[] | undefined {
  if (rest === '}') return [];
  if (rest === '') return ['missing-bracket'];
  return rest === '}}' ? ['extra-bracket'] : undefined;
}

function readBody(body: string): Generous | undefined {
  if (body.trim() === '') return { value: {}, repairs: [] };
  return readGenerously(body);
}
