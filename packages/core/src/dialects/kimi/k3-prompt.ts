// Writes the prompt of Kimi K3, as its chat template does: every message is an element.
//
//   <|open|>message role="system" type="tool-declare"<|sep|># Tools … ```json\n[{"function":{…}}]\n```
//   <|open|>message role="user"<|sep|>Weather?<|close|>message<|sep|><|end_of_msg|>
//   <|open|>message role="assistant"<|sep|><|open|>think<|sep|>…<|close|>think<|sep|><|open|>response<|sep|>…
//   <|open|>message role="tool" tool="get_weather" index="1"<|sep|>22<|close|>message<|sep|><|end_of_msg|>
//
// (All in one line.) Reasoning is kept in every turn, unless thinking is off. The `template` options `thinking_effort`
// (`low`, `high` or `max`; null for none) and `tool_choice` are the vendor's.

import type { ReadBack, ReadResults, Render, RenderOptions, Writer } from '../../engine/dialect.js';
import { defineMarkers, hasMarker, restore } from '../../engine/markers.js';
import {
  callField,
  callsOf,
  contentField,
  reasoningOf,
  resultField,
  resultText,
  textOf,
} from '../../engine/message-text.js';
import { type Argument, argumentsJson, argumentsOf } from '../../families/writing/call-arguments.js';
import { effortOption } from '../../families/writing/effort-words.js';
import { writeTurns } from '../../families/writing/prompt-parts.js';
import { strip } from '../../families/writing/python-text.js';
import { sortedJson } from '../../families/writing/sorted-json.js';
import { readToolLines, readToolList, teaching, toolSource } from '../../families/writing/tool-text.js';
import { all, any, argumentMembers, many, type Rule, type Spelling, text } from '../../grammar/spelling.js';
import {
  type AssistantMessage,
  type Conversation,
  ExactNumber,
  type JsonSchema,
  type Tool,
  type ToolCall,
  type ToolResult,
  UsageError,
} from '../../model/index.js';
import { acceptedTypes, type OptionalSchema } from '../../schema/schema.js';
import { escapeAttribute, unescapeAttribute } from './xtml-tags.js';

const SEP = '<|sep|>';
const CLOSE = `<|close|>message${SEP}`;
const END = `${CLOSE}<|end_of_msg|>`;
const open = (attributes: string) => `<|open|>message ${attributes}${SEP}`;
const BLOCK = `<|open|>tools${SEP}`;
const BLOCK_CLOSE = `<|close|>tools${SEP}`;
const CALL_CLOSE = `<|close|>call${SEP}`;
const VALUE_CLOSE = `<|close|>argument${SEP}`;
const JSON_OPEN = `<|open|>json type="object"${SEP}`;
const JSON_CLOSE = `<|close|>json${SEP}`;
const RESULT = '<|open|>message role="tool" tool="';

export const kimiK3Render: Render = {
  instructions: teaching({
    example:
      `${BLOCK}<|open|>call tool="NAME" index="1"${SEP}` +
      `<|open|>argument key="key" type="string"${SEP}text${VALUE_CLOSE}` +
      `<|open|>argument key="count" type="number"${SEP}2${VALUE_CLOSE}${CALL_CLOSE}${BLOCK_CLOSE}`,
    rules:
      'A string is written as it is, any other value as JSON, with its type. Several calls: one tools block.',
    result: `<|open|>message role="tool" tool="NAME" index="1"${SEP}...<|close|>message${SEP}`,
  }),
  calls: writeCalls,
  results: (out, results) => writeResults(out, results, 1),
  prompt: writePrompt,
  effort: effortOption('thinking_effort', ['low', 'high', 'high', 'max']),
  stop: ['<|end_of_msg|>'],
};

function writeCalls(out: Writer, calls: readonly ToolCall[]): void {
  if (calls.length === 0) return;
  out.ours(BLOCK);
  for (const [at, call] of calls.entries()) writeCall(out, call, at + 1);
  out.ours(BLOCK_CLOSE);
}

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

/** Writes results, of which the first has the index `first`. */
function writeResults(out: Writer, results: readonly ToolResult[], first: number): void {
  for (const [at, result] of results.entries()) {
    const field = resultField(result);
    out.ours(RESULT).outside(escapeAttribute(result.name ?? ''), field);
    out
      .ours(`" index="${first + at}"${SEP}`)
      .outside(resultText(result), field)
      .ours(END);
  }
}

// --- the prompt ----------------------------------------------------------------------------------------

function writePrompt(out: Writer, { messages, tools }: Conversation, options: RenderOptions): void {
  const thinks = options.thinking !== false;
  if (tools.length > 0) writeTools(out, tools);
  if (thinks) writeEffort(out, options.template?.thinking_effort);
  let answered = 0;
  writeTurns(messages, 0, {
    text: (message, at) =>
      out
        .ours(open(`role="${message.role}"`))
        .outside(textOf(message), contentField(at))
        .ours(END),
    answer: (message, at) => {
      const plain = open('role="assistant"');
      const isOwn = out.ownWords(message, {
        options,
        begin: beginning,
        keeps: thinks,
        plain,
        opener: `<|open|>think${SEP}`,
      });
      if (!isOwn) writeAssistant(out, message, at, thinks);
      out.ours(isOwn && out.wordsOf(message)?.text.endsWith(CLOSE) ? '<|end_of_msg|>' : END);
      answered = 0;
    },
    results: (results) => {
      writeResults(out, results, answered + 1);
      answered += results.length;
    },
  });
  writeChoice(out, options.template?.tool_choice);
  if (options.generate !== false) out.ours(beginning(options));
}

function beginning({ thinking }: RenderOptions): string {
  return `${open('role="assistant"')}<|open|>${thinking === false ? 'response' : 'think'}${SEP}`;
}

const TOOLS_OPEN =
  open('role="system" type="tool-declare"') +
  '# Tools\nHere are the available tools, described in JSONSchema.\n\n```json\n';
const TOOLS_CLOSE = '\n```';

function writeTools(out: Writer, tools: readonly Tool[]): void {
  out
    .ours(TOOLS_OPEN)
    .jsonText(sortedJson(tools.map(toolSource)), 'tools')
    .ours(TOOLS_CLOSE + END);
}

const EFFORTS: readonly unknown[] = ['low', 'high', 'max'];

function writeEffort(out: Writer, effort: unknown = 'max'): void {
  if (effort === null) return;
  if (!EFFORTS.includes(effort))
    throw new UsageError('bad-options', "expected 'low', 'high', 'max' or null", 'template.thinking_effort');
  out.ours(effortTurn(effort));
}

const effortTurn = (effort: unknown) =>
  open('role="system" type="thinking-effort"') +
  '`thinking_effort` guides on how much to think in your thinking channel (not including the response channel), ' +
  'supported values include `low`, `medium`, `high`, and `max`.\n' +
  `Now the system is invoked with \`thinking_effort=${effort}\`.${END}`;

function writeAssistant(out: Writer, message: AssistantMessage, at: number, thinks: boolean): void {
  const field = contentField(at);
  out.ours(open('role="assistant"'));
  if (thinks) {
    const thought = reasoningOf(message) ?? '';
    out.ours(`<|open|>think${SEP}`).outside(strip(thought) === '' ? '' : thought, field);
    out.ours(`<|close|>think${SEP}`);
  }
  out.ours(`<|open|>response${SEP}`).outside(textOf(message), field).ours(`<|close|>response${SEP}`);
  writeCalls(out, callsOf(message));
}

function writeChoice(out: Writer, choice: unknown): void {
  if (choice !== 'required' && choice !== 'none') return;
  const rule = choice === 'required' ? 'MUST call tools' : 'MUST NOT call any tools';
  out.ours(open('role="system" type="tool-choice"'));
  out.ours(`The system is invoked with \`tool_choice=${choice}\`.\nYou ${rule} in the next message.${END}`);
}

// --- reading back --------------------------------------------------------------------------------------

const markers = defineMarkers(['<|open|>', '<|close|>', SEP, '<|end_of_msg|>']);

export const kimiK3Back: ReadBack = {
  turns: [
    { token: TOOLS_OPEN, tools: (text) => readToolList(text.slice(0, -TOOLS_CLOSE.length)) },
    ...EFFORTS.map((effort) => ({ token: effortTurn(effort) })),
    ...(['system', 'user', 'assistant'] as const).map((role) => ({ token: open(`role="${role}"`), role })),
    { token: RESULT, role: 'tool', keep: 'behind' },
    { token: END },
  ],
  templates: ['low', 'high', null].map((thinking_effort) => ({ thinking_effort })),
  tools: readToolLines,
  results: readResults,
};

/** Reads results. In a prompt each has a turn of its own, and its closer is already cut off. */
function readResults(text: string): ReadResults | undefined {
  const results: ReadResults['results'] = [];
  let end = 0;
  while (text.startsWith(RESULT, end)) {
    const start = text.indexOf(SEP, end);
    const close = text.indexOf(END, start);
    const name = text.slice(end + RESULT.length, text.indexOf('"', end + RESULT.length));
    if (start < 0) return undefined;
    const said = text.slice(start + SEP.length, close < 0 ? text.length : close);
    results.push({ text: restore(said, markers), name: unescapeAttribute(name) });
    end = close < 0 ? text.length : close + END.length;
  }
  return results.length > 0 ? { results, end } : undefined;
}

// --- the rules of a grammar ----------------------------------------------------------------------------

const MARKERS = ['<|open|>', '<|close|>', '<|sep|>'];
const STYLE = { type: 'json', without: MARKERS } as const;
const TYPES = ['number', 'boolean', 'null', 'array', 'object'] as const;

const perhaps = { from: 0, to: 1 };

/** The prompt may end inside a response: a model that is held ends it first. The message may end behind the calls. */
export const kimiK3Spelling: Spelling = {
  triggers: [BLOCK],
  calls: (tools, howMany) =>
    all(
      many(text(`<|close|>response${SEP}`), perhaps),
      text(BLOCK),
      many(any(...tools.map(callRule)), howMany),
      text(BLOCK_CLOSE),
      many(text(`<|close|>message${SEP}`), perhaps),
    ),
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

function argumentRule(key: string, schema: OptionalSchema, root: OptionalSchema): Rule {
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
