// Writes kimi-k3 as its vendor does: calls, results, and the rules of a sampling grammar.

import type { Render, Writer } from '../../engine/dialect.js';
import { hasMarker } from '../../engine/markers.js';
import { callField, resultField } from '../../engine/message-text.js';
import { resultText } from '../../engine/result-text.js';
import { type Argument, argumentsJson, argumentsOf } from '../../families/writing/call-arguments.js';
import { writeShortForm } from '../../families/writing/tool-text.js';
import { all, any, argumentMembers, many, type Rule, type Spelling, text } from '../../grammar/spelling.js';
import {
  ExactNumber,
  type JsonSchema,
  type Tool,
  type ToolCall,
  type ToolResult,
} from '../../model/index.js';
import { acceptedTypes } from '../../schema/schema.js';
import { escapeAttribute } from './xtml-tags.js';

const SEP = '<|sep|>';
const BLOCK = `<|open|>tools${SEP}`;
const BLOCK_CLOSE = `<|close|>tools${SEP}`;
const CALL_CLOSE = `<|close|>call${SEP}`;
const VALUE_CLOSE = `<|close|>argument${SEP}`;
const JSON_OPEN = `<|open|>json type="object"${SEP}`;
const JSON_CLOSE = `<|close|>json${SEP}`;

function typeOf(value: Argument['value']): string {
  if (value === null) return 'null';
  if (typeof value === 'string' || typeof value === 'boolean') return typeof value;
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' || value instanceof ExactNumber ? 'number' : 'object';
}

function writeCall(out: Writer, call: ToolCall, index: number): void {
  const field = callField(call);
  const args = argumentsOf(call);
  out.ours('<|open|>call tool="').outside(escapeAttribute(call.name), field).ours(`" index="${index}"${SEP}`);
  if (args.every(({ key }) => holdsKey(out, key)))
    for (const argument of args) writeArgument(out, argument, field);
  else out.ours(JSON_OPEN).jsonText(argumentsJson(args), field).ours(JSON_CLOSE);
  out.ours(CALL_CLOSE);
}

/** Whether an attribute can carry the key. If not, all arguments go into one block of JSON. */
function holdsKey(out: Writer, key: string): boolean {
  if (out.safety === 'exact') return true;
  return key !== '' && key.length < 256 && !/[\\<\n\r]/.test(key) && !hasMarker(key, out.markers);
}

function writeArgument(out: Writer, { key, value }: Argument, field: string): void {
  out.ours('<|open|>argument key="').outside(escapeAttribute(key), field);
  out.ours(`" type="${typeOf(value)}"${SEP}`);
  if (typeof value === 'string') out.outside(value, field);
  else out.json(value, field);
  out.ours(VALUE_CLOSE);
}

export function writeKimiK3Result(out: Writer, result: ToolResult, index: number): void {
  const field = resultField(result);
  out.ours('<|open|>message role="tool" tool="').outside(escapeAttribute(result.name ?? ''), field);
  out.ours(`" index="${index}"${SEP}`).outside(resultText(result), field);
  out.ours(`<|close|>message${SEP}<|end_of_msg|>`);
}

export const kimiK3Render: Render = {
  instructions: (out, tools) =>
    writeShortForm(out, tools, {
      example:
        `${BLOCK}<|open|>call tool="NAME" index="1"${SEP}` +
        `<|open|>argument key="key" type="string"${SEP}text${VALUE_CLOSE}` +
        `<|open|>argument key="count" type="number"${SEP}2${VALUE_CLOSE}${CALL_CLOSE}${BLOCK_CLOSE}`,
      rules:
        'A string is written as it is, any other value as JSON, with its type. Several calls: one tools block.',
      result: `<|open|>message role="tool" tool="NAME" index="1"${SEP}...<|close|>message${SEP}`,
    }),
  calls: (out, calls) => {
    if (calls.length === 0) return;
    out.ours(BLOCK);
    for (const [at, call] of calls.entries()) writeCall(out, call, at + 1);
    out.ours(BLOCK_CLOSE);
  },
  results: (out, results) => {
    for (const [at, result] of results.entries()) writeKimiK3Result(out, result, at + 1);
  },
  stop: ['<|end_of_msg|>'],
};

// --- the rules of a grammar ----------------------------------------------------------------------------

const MARKERS = ['<|open|>', '<|close|>', '<|sep|>'];
const STYLE = { type: 'json', without: MARKERS } as const;
const TYPES = ['number', 'boolean', 'null', 'array', 'object'] as const;

export const kimiK3Spelling: Spelling = {
  triggers: [BLOCK],
  calls: (tools, howMany) => all(text(BLOCK), many(any(...tools.map(callRule)), howMany), text(BLOCK_CLOSE)),
};

/** The index of a call. It adds nothing to the order of the calls, so any number is accepted. */
const INDEX: Rule = all(
  any(...[...'123456789'].map(text)),
  many(any(...[...'0123456789'].map(text)), { from: 0, to: 1 }),
);

function callRule(tool: Tool): Rule {
  const open = text(`<|open|>call tool="${escapeAttribute(tool.name)}" index="`);
  return all(open, INDEX, text(`"${SEP}`), argumentMembers(tool, argumentRule), text(CALL_CLOSE));
}

function argumentRule(key: string, schema: JsonSchema | undefined, root: JsonSchema | undefined): Rule {
  const types = acceptedTypes(schema, root);
  const typed = (type: string, style: Extract<Rule, { type: 'value' }>['style']): Rule => {
    const only: JsonSchema = { type };
    const both: JsonSchema = schema === undefined ? only : { allOf: [schema, only] };
    return all(text(`${type}"${SEP}`), { type: 'value', schema: both, root, style });
  };
  const kinds = TYPES.filter(
    (type) => types === undefined || types.has(type) || (type === 'number' && types.has('integer')),
  );
  const rules = kinds.map((type) => typed(type, STYLE));
  if (types === undefined || types.has('string'))
    rules.unshift(typed('string', { type: 'text', without: MARKERS }));
  return all(text(`<|open|>argument key="${escapeAttribute(key)}" type="`), any(...rules), text(VALUE_CLOSE));
}
