// The system text of ToolACE: an instruction, the functions as one list of JSON, and how to call them.
//
//     You are an expert in composing functions. […] You should only return the function call in tools call sections.
//     [the conversation's own system text, such as: The current time is 2024-05-01 10:00:00.]
//     Here is a list of functions in JSON format that you can invoke:
//     [{"name": "Get Fare", "description": "…", "parameters": {"type": "dict", …}, "required": null}].
//     Should you decide to return the function call(s). […]
//
// The instruction belongs to the form, not to the conversation. Schemas have `dict` for `object` here.

import type { ExactValue, Tool } from '@dragoman/core/internal';
import { exactEntries, exactObject, JsonReader, writeSpaced } from '@dragoman/core/internal';
import { parseJson } from '../quick/plain-json.js';
import type { Note, Row } from './form.js';
import { type Frames, readText, writeText } from './frame-text.js';
import { readStrictly } from './generous-json.js';
import { noteLoss } from './losses.js';
import { isRow } from './members.js';
import { readDefinitions, writeDefinition } from './tool-definitions.js';

const sentences = [
  'You are an expert in composing functions.',
  ' You are given a question and a set of possible functions. \n',
  'Based on the question, you will need to make one or more function/tool calls to achieve the purpose. \n',
  'If none of the function can be used, point it out.',
  ' If the given question lacks the parameters required by the function,\nalso point it out.',
  ' You should only return the function call in tools call sections.\n',
];
const closing = [
  '. \nShould you decide to return the function call(s). \n',
  'Put it in the format of [func1(params_name=params_value, params_name2=params_value2...), func2(params)]\n\n',
  'NO other text MUST be included. \n',
];
const HEAD = sentences.join('');
const MARKER = 'Here is a list of functions in JSON format that you can invoke:';
const TAIL = closing.join('');

const frames: Frames = {
  firsts: MARKER.charAt(0),
  acts: (text, _, tail) => text.startsWith(MARKER.slice(1), tail),
};

/** `text`: the conversation's own system text. */
export function readSystem(system: string, notes: Note[]): { text: string; tools: Tool[] } {
  const at = system.indexOf(MARKER);
  if (at < 0) return { text: readText(system, frames, 'system', notes), tools: [] };
  const start = system.indexOf('[', at + MARKER.length);
  const list = start < 0 ? undefined : readList(system, start, notes);
  if (!list) {
    notes.push({ kind: 'issue', code: 'wrong-type', path: 'system' });
    return { text: readText(system, frames, 'system', notes), tools: [] };
  }
  const before = ownText(system.slice(0, at), HEAD, sentences, notes);
  const after = ownText(system.slice(list.end), TAIL, closing, notes);
  const text = before !== '' && after !== '' ? `${before}\n${after}` : before + after;
  const definitions = list.value.map((item) => (isRow(item) ? readFunction(item) : item));
  return {
    text: readText(text, frames, 'system', notes),
    tools: readDefinitions(definitions, 'system', notes),
  };
}

/** Gives the text besides the instruction; if that is worded differently, the sentences that are not known. */
function ownText(text: string, frame: string, known: readonly string[], notes: Note[]): string {
  if (text.startsWith(frame)) return withoutBreak(text.slice(frame.length));
  const rest = withoutSentences(
    text.trim(),
    known.map((sentence) => sentence.trim()),
  );
  if (rest !== '') notes.push({ kind: 'repair', code: 'other-spelling', path: 'system' });
  return rest;
}

function withoutBreak(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** Removes known sentences from both ends, each at most once. */
function withoutSentences(text: string, known: readonly string[]): string {
  let rest = text;
  for (const sentence of known) if (rest.startsWith(sentence)) rest = rest.slice(sentence.length).trimStart();
  for (const sentence of known.toReversed()) {
    if (rest.endsWith(sentence)) rest = rest.slice(0, rest.length - sentence.length).trimEnd();
  }
  return rest;
}

function readList(
  system: string,
  start: number,
  notes: Note[],
): { value: ExactValue[]; end: number } | undefined {
  if (system.endsWith(TAIL)) {
    const end = system.length - TAIL.length;
    const strict = readStrictly(system.slice(start, end));
    if (Array.isArray(strict?.value)) return { value: strict.value, end };
  }
  const reader = new JsonReader({ maxDepth: 500 });
  reader.watch = -1;
  const end = reader.read(system, start, true);
  if (!reader.done) return undefined;
  for (const code of new Set(reader.repairs.map((repair) => repair.code))) {
    notes.push({ kind: 'repair', code, path: 'system' });
  }
  const value = parseJson(reader.take());
  return Array.isArray(value) ? { value, end } : undefined;
}

/** Removes the `"required": null` that every function has after its parameters. */
function readFunction(definition: Row): ExactValue {
  const members = exactEntries(definition).filter(([key, value]) => key !== 'required' || value !== null);
  return exactObject(
    members.map(([key, value]) => [key, key === 'parameters' ? mapTypes(value, toObject) : value]),
  );
}

const toObject = (type: string) => (type === 'dict' ? 'object' : type);

// ---------------------------------------------------------------- writing

/** Writes the system text; without tools there is no instruction. */
export function writeSystem(text: string, tools: readonly Tool[], own: boolean, notes: Note[]): string {
  const written = writeText(text, frames, 'messages[0]', notes);
  if (tools.length === 0) return written;
  const list = tools.map((tool, index) => writeFunction(tool, index, own, notes));
  const middle = written === '' ? '' : `${written}\n`;
  return `${HEAD}${middle}${MARKER}\n${writeSpaced(list)}${TAIL}`;
}

function writeFunction(tool: Tool, at: number, own: boolean, notes: Note[]): ExactValue {
  const { parameters, ...members } = writeDefinition(tool, own);
  let ambiguous = false;
  const toDict = (type: string) => {
    ambiguous ||= type === 'dict';
    return type === 'object' ? 'dict' : type;
  };
  const schema = parameters === undefined ? undefined : mapTypes(parameters, toDict);
  if (ambiguous) noteLoss(notes, 'tools', `tools[${at}]`);
  return {
    ...members,
    ...(schema !== undefined && { parameters: schema }),
    ...(!('required' in members) && { required: null }),
  };
}

const schemaKeys = new Set([
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
]);
const listKeys = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const recordKeys = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/** Rewrites the types of a schema, and nothing else. */
function mapTypes(schema: ExactValue, map: (type: string) => string): ExactValue {
  if (Array.isArray(schema)) return schema.map((item) => mapTypes(item, map));
  if (!isRow(schema)) return schema;
  return exactObject(exactEntries(schema).map(([key, value]) => [key, mapMember(key, value, map)]));
}

function mapMember(key: string, value: ExactValue, map: (type: string) => string): ExactValue {
  if (key === 'type') {
    if (Array.isArray(value)) return value.map((item) => (typeof item === 'string' ? map(item) : item));
    return typeof value === 'string' ? map(value) : value;
  }
  if (schemaKeys.has(key) || (listKeys.has(key) && Array.isArray(value))) return mapTypes(value, map);
  if (!recordKeys.has(key) || !isRow(value)) return value;
  return exactObject(exactEntries(value).map(([name, member]) => [name, mapTypes(member, map)]));
}
