// Writes the prompt of Gemma 4, as its chat template does.
//
//   <bos><|turn>system\nBe brief.<|tool>declaration:get_weather{…}<tool|><turn|>\n<|turn>user\nWeather?<turn|>\n
//   <|turn>model\n<|tool_call>call:get_weather{city:<|"|>Rome<|"|>}<tool_call|>
//   <|tool_response>response:get_weather{value:<|"|>22<|"|>}<tool_response|>Sunny.<turn|>\n
//
// (All in one line.) Results are in the model's turn, which continues after them. Arguments are sorted by key, and null
// is None. Thinking is off unless requested; when it is off, an answer begins with an empty thought. Reasoning is kept
// only before the calls of the last turn.
//
// One thing is not copied: the template writes a text before calls after their results, and ends the turn there.

import type { RenderOptions, Writer } from '../../engine/dialect.js';
import {
  callField,
  callsOf,
  contentField,
  lastIndexOf,
  reasoningOf,
  resultField,
  resultText,
  textOf,
} from '../../engine/message-text.js';
import { argumentsOf } from '../../families/writing/call-arguments.js';
import { writeTurns } from '../../families/writing/prompt-parts.js';
import { strip } from '../../families/writing/python-text.js';
import type { AssistantMessage, Conversation, Message, Tool, ToolResult } from '../../model/index.js';
import { writeDeclaration, writeGemmaMembers } from './tools.js';

const TURN_END = '<turn|>\n';
const THOUGHT = '<|channel>thought\n';

export function writeGemma4Prompt(out: Writer, conversation: Conversation, options: RenderOptions): void {
  const { messages, tools } = conversation;
  const thinks = options.thinking === true;
  const begins = messages[0]?.role === 'system' ? 1 : 0;
  out.ours('<bos>');
  if (thinks || tools.length > 0 || begins > 0)
    writeSystem(out, begins > 0 ? textOf(messages[0] as Message) : '', tools, thinks);
  const lastUser = lastIndexOf(messages, 'user');
  /** Whether the model's turn is open, so that an answer continues it. */
  let open = false;
  writeTurns(messages, begins, {
    text: (message, at) => {
      out.ours(`<|turn>${message.role}\n`).outside(strip(textOf(message)), contentField(at));
      out.ours(TURN_END);
      open = false;
    },
    answer: (message, at) => {
      const plain = continues(messages, at) ? '' : '<|turn>model\n';
      const begin = (asked: RenderOptions) => (plain === '' ? '' : beginning(asked));
      const answered = messages[at + 1]?.role === 'tool';
      if (out.ownWords(message, { options, begin, keeps: at > lastUser, plain, opener: THOUGHT }))
        open = endTurn(out, message, answered);
      else open = writeAssistant(out.ours(plain), message, at, at > lastUser, answered);
    },
    results: (results) => {
      for (const result of results) writeResult(out, result);
      open = true;
    },
  });
  if (options.generate !== false && !open) out.ours(beginning(options));
}

function beginning({ thinking }: RenderOptions): string {
  return `<|turn>model\n${thinking === true ? '' : `${THOUGHT}<channel|>`}`;
}

/** Whether the last message before this one, tool messages aside, was the model's, too. */
function continues(messages: readonly Message[], at: number): boolean {
  const before = messages.findLast(({ role }, place) => place < at && role !== 'tool');
  return before?.role === 'assistant';
}

function writeSystem(out: Writer, text: string, tools: readonly Tool[], thinks: boolean): void {
  out.ours('<|turn>system\n').ours(thinks ? '<|think|>\n' : '');
  out.outside(strip(text), contentField(0));
  for (const [at, tool] of tools.entries()) {
    writeDeclaration(out.ours('<|tool>'), tool, `tools[${at}]`);
    out.ours('<tool|>');
  }
  out.ours(TURN_END);
}

/** Writes an answer, and gives whether the turn stays open. */
function writeAssistant(
  out: Writer,
  message: AssistantMessage,
  at: number,
  keep: boolean,
  answered: boolean,
): boolean {
  const calls = callsOf(message);
  const field = contentField(at);
  const thought = reasoningOf(message) ?? '';
  const text = withoutThought(textOf(message));
  if (keep && calls.length > 0 && thought !== '')
    out.ours(THOUGHT).outside(thought, field).ours('\n<channel|>');
  out.outside(text, field);
  if (calls.length > 0) out.ours(text === '' ? '' : '\n');
  for (const call of calls) {
    const members = argumentsOf(call).map(({ key, value }): [string, typeof value] => [key, value]);
    out.ours('<|tool_call>call:').outside(call.name, callField(call));
    writeGemmaMembers(out, members, callField(call), false);
    out.ours('<tool_call|>');
  }
  return endTurn(out, message, answered);
}

/** Ends an answer, unless results follow. Gives whether the turn stays open. */
function endTurn(out: Writer, message: AssistantMessage, answered: boolean): boolean {
  const hasCalls = callsOf(message).length > 0;
  if (!hasCalls) out.ours(TURN_END);
  else if (!answered) out.ours('<|tool_response>');
  return hasCalls;
}

function writeResult(out: Writer, result: ToolResult): void {
  const field = resultField(result);
  out.ours('<|tool_response>response:').outside(result.name ?? 'unknown', field);
  out.ours('{value:<|"|>').outside(resultText(result), field).ours('<|"|>}<tool_response|>');
}

function withoutThought(text: string): string {
  const parts = text.split('<channel|>').map((part) => part.split('<|channel>', 1)[0] ?? '');
  return strip(parts.join(''));
}
