// Writes the prompt of Kimi K3, as its chat template does: every message is an element.
//
//   <|open|>message role="system" type="tool-declare"<|sep|># Tools … ```json\n[{"function":{…}}]\n```
//   <|open|>message role="user"<|sep|>Weather?<|close|>message<|sep|><|end_of_msg|>
//   <|open|>message role="assistant"<|sep|><|open|>think<|sep|>…<|close|>think<|sep|><|open|>response<|sep|>…
//   <|open|>message role="tool" tool="get_weather" index="1"<|sep|>22<|close|>message<|sep|><|end_of_msg|>
//
// (All in one line.) Reasoning is kept in every turn, unless thinking is off. The `template` options `thinking_effort`
// (`low`, `high` or `max`; null for none) and `tool_choice` are the vendor's.

import type { ReadBack, ReadResults, RenderOptions, Writer } from '../../engine/dialect.js';
import { defineMarkers, restore } from '../../engine/markers.js';
import { callsOf, contentField, reasoningOf, textOf } from '../../engine/message-text.js';
import { runOfResults } from '../../families/writing/prompt-parts.js';
import { strip } from '../../families/writing/python-text.js';
import { sortedJson } from '../../families/writing/sorted-json.js';
import { readToolLines, readToolList } from '../../families/writing/tool-lines.js';
import { toolSource } from '../../families/writing/tool-text.js';
import {
  type AssistantMessage,
  type Conversation,
  type Message,
  type Tool,
  UsageError,
} from '../../model/index.js';
import { kimiK3Render, writeKimiK3Result } from './k3-render.js';
import { unescapeAttribute } from './xtml-tags.js';

const SEP = '<|sep|>';
const END = `<|close|>message${SEP}<|end_of_msg|>`;
const open = (attributes: string) => `<|open|>message ${attributes}${SEP}`;

export function writeKimiK3Prompt(out: Writer, conversation: Conversation, options: RenderOptions): void {
  const { messages, tools } = conversation;
  const thinks = options.thinking !== false;
  if (tools.length > 0) writeTools(out, tools);
  if (thinks) writeEffort(out, options.template?.thinking_effort);
  let answered = 0;
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at] as Message;
    if (message.role === 'assistant') {
      writeAssistant(out, message, at, thinks);
      answered = 0;
    } else if (message.role === 'tool') {
      const { results, last } = runOfResults(messages, at);
      for (const result of results) writeKimiK3Result(out, result, ++answered);
      at = last;
    } else {
      out
        .ours(open(`role="${message.role}"`))
        .outside(textOf(message), contentField(at))
        .ours(END);
    }
  }
  writeChoice(out, options.template?.tool_choice);
  if (options.generate === false) return;
  out.ours(open('role="assistant"')).ours(`<|open|>${thinks ? 'think' : 'response'}${SEP}`);
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
  kimiK3Render.calls(out, callsOf(message), { tools: [], afterText: true });
  out.ours(END);
}

function writeChoice(out: Writer, choice: unknown): void {
  if (choice !== 'required' && choice !== 'none') return;
  const rule = choice === 'required' ? 'MUST call tools' : 'MUST NOT call any tools';
  out.ours(open('role="system" type="tool-choice"'));
  out.ours(`The system is invoked with \`tool_choice=${choice}\`.\nYou ${rule} in the next message.${END}`);
}

// --- reading back --------------------------------------------------------------------------------------

const RESULT = '<|open|>message role="tool" tool="';
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
