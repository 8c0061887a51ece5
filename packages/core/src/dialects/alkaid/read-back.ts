// Reads alkaid back: a list of flat definitions, and results in <tools_return>.

import type { ReadBack, ReadResults } from '../../engine/dialect.js';
import { isRecord, memberOf, membersOf, readToolList } from '../../families/writing/tool-text.js';
import { type ExactValue, exactObject } from '../../model/index.js';
import { RETURN_CLOSE, RETURN_OPEN } from './prompt.js';

export const alkaidBack: ReadBack = {
  tools: (text) => readToolList(`[${text}]`)?.map(unflattenTool),
  results: readReturn,
};

/** Reads results. Markers are escaped inside JSON, so the first closer is the real one. */
function readReturn(text: string): ReadResults | undefined {
  const end = text.startsWith(RETURN_OPEN) ? text.indexOf(RETURN_CLOSE) : -1;
  const items = end < 0 ? undefined : readToolList(text.slice(RETURN_OPEN.length, end));
  const results = items?.map((item) => ({
    text: memberOf(item, 'return'),
    callId: memberOf(item, 'id'),
    name: memberOf(item, 'name'),
  }));
  return results?.every(isResult) ? { results, end: end + RETURN_CLOSE.length } : undefined;
}

function isResult(
  result: Record<'text' | 'callId' | 'name', unknown>,
): result is Record<'text' | 'callId' | 'name', string> {
  return Object.values(result).every((member) => typeof member === 'string');
}

type Member = [key: string, value: ExactValue];

function unflattenTool(tool: ExactValue): ExactValue {
  const members = membersOf(tool);
  const root = schemaOfMap(memberOf(tool, 'parameters'));
  const rest = membersOf(memberOf(tool, 'schema'));
  const definitions = members.filter(([key]) => !SAID.has(key));
  const description = memberOf(tool, 'description');
  return exactObject([
    ['name', memberOf(tool, 'name') ?? null],
    ...(description === '' || description === undefined ? [] : [['description', description] as const]),
    ['parameters', exactObject([...root, ...rest, ...definitions])],
  ]);
}

const SAID = new Set(['name', 'description', 'parameters', 'schema']);

function schemaOfMap(map: ExactValue | undefined): Member[] {
  const required: ExactValue[] = [];
  const properties: Member[] = [];
  for (const [key, entry] of membersOf(map)) {
    if (memberOf(entry, 'required') === true) required.push(key);
    properties.push([key, schemaOf(entry)]);
  }
  return [
    ['type', 'object'],
    ['properties', exactObject(properties)],
    ...(required.length > 0 ? [['required', required] as Member] : []),
  ];
}

/** Gives the JSON Schema of a flat entry. Keys that the flat form has of its own are translated; the rest is copied. */
function schemaOf(entry: ExactValue): ExactValue {
  const kept = memberOf(entry, 'schema');
  const description = membersOf(entry).filter(([key, value]) => key === 'description' && value !== '');
  if (isRecord(kept)) return exactObject([...description, ...membersOf(kept)]);
  const members: Member[] = [];
  for (const [key, value] of membersOf(entry)) {
    if (key === 'type') members.push(...typeOf(entry, value));
    else if (key === 'items' && isRecord(value)) members.push([key, schemaOf(value)]);
    else if (key === 'additionalProperties' && isRecord(value)) members.push([key, schemaOf(value)]);
    else if (key === 'properties') members.push(...schemaOfMap(value).filter(([name]) => name !== 'type'));
    else if (!OWN.has(key)) members.push([key, value]);
  }
  return exactObject([...description, ...members]);
}

const OWN = new Set(['description', 'required', 'any', 'integer']);

function typeOf(entry: ExactValue, type: ExactValue): Member[] {
  if (memberOf(entry, 'any') === true) return [];
  return [['type', memberOf(entry, 'integer') === true ? 'integer' : type]];
}
