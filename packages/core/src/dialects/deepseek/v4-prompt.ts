// Writes the prompt of DeepSeek V4 and V4.1, as the vendor's encoders do:
//
//   <｜begin▁of▁sentence｜>System text<｜User｜>Weather?<｜Assistant｜><think>Reasoning</think>Text
//
//   <｜DSML｜tool_calls>…</｜DSML｜tool_calls><｜end▁of▁sentence｜><｜User｜><tool_result>22</tool_result><｜Assistant｜>
//
// There is no tool role: results join the user's turn, in the order of the calls. With tools, the reasoning of all turns
// is kept; without tools (unless `drop_thinking` is false), only that of the last turn.
//
// V4's encoder writes no header after a system message that follows a user message, and neither does this. V4.1 has a
// token for such messages and no such gap.
//
// V4.1 was released while this was written. Spelling, header and efforts follow the encoder that came with it
// (low 50, high 75, max 100, default high); engines were seen with an older table (25 to 100, default 50). Where
// the vendor sets a placeholder for an image, nothing is written: text prompts carry no media.

import type { Render, RenderOptions, Writer } from '../../engine/dialect.js';
import {
  callsOf,
  contentField,
  reasoningOf,
  resultField,
  resultText,
  textOf,
} from '../../engine/message-text.js';
import { effortOption } from '../../families/writing/effort-words.js';
import { teaching } from '../../families/writing/tool-text.js';
import {
  type AssistantMessage,
  type Conversation,
  type Message,
  type Tool,
  type ToolCall,
  type ToolResult,
  UsageError,
} from '../../model/index.js';
import {
  BOS,
  type DsmlSpelling,
  dsmlShortForm,
  dsmlTools,
  EOS,
  V4,
  V41,
  writeDsmlCalls,
  writeOwnTurn,
} from './dsml-calls.js';

interface V4Layout extends DsmlSpelling {
  /** The token before every system text. With it, a system text after the first turn is a turn of its own. */
  systemToken: string;
  /** The separator between the text parts of one message. */
  partSeparator: string;
  effort(effort: unknown): string;
}

export const deepseekV4Render = render({
  ...V4,
  systemToken: '',
  partSeparator: '',
  effort: effortProse,
});

export const SYSTEM_TOKEN = '<｜System｜>';

export const deepseekV41Render = render({
  ...V41,
  systemToken: SYSTEM_TOKEN,
  partSeparator: '\n\n',
  effort: (effort) =>
    `Reasoning Effort: ${effortNumber(effort)} (range 1-100, the higher the value, the more thorough the reasoning)\n\n`,
});

function render(layout: V4Layout): Render {
  return {
    instructions: teaching(dsmlShortForm(layout, '<tool_result>...</tool_result>'), dsmlTools(layout)),
    calls: (out, calls, { tools, afterText }) =>
      writeDsmlCalls(out.ours(afterText ? '\n\n' : ''), calls, layout, tools),
    results: writeBlocks,
    prompt: (out, conversation, options) => writePrompt(out, conversation, options, layout),
    effort: effortOption('reasoning_effort', ['low', 'medium', 'high', 'max']),
    stop: [EOS],
  };
}

// --- the prompt ----------------------------------------------------------------------------------------

/** The text of a user's message, and the field it came from. */
interface TextBlock {
  type: 'text';
  text: string;
  field: string;
}

type Block = TextBlock | ToolResult;

/** A turn of the prompt. A user's turn holds the texts and results of several messages. */
type Turn =
  | { role: 'system'; text: string; tools: readonly Tool[]; field: string }
  | { role: 'user'; blocks: Block[] }
  | { role: 'assistant'; message: AssistantMessage; field: string };

function writePrompt(
  out: Writer,
  conversation: Conversation,
  options: RenderOptions,
  layout: V4Layout,
): void {
  const turns = turnsOf(conversation, layout);
  const thinking = options.thinking === true;
  const dropsReasoning = conversation.tools.length === 0 && options.template?.drop_thinking !== false;
  const isAsked = (turn: Turn | undefined, at: number) =>
    turn?.role === 'user' || (turn?.role === 'system' && layout.systemToken !== '' && at > 0);
  const last = turns.findLastIndex(isAsked);
  const thinks = (at: number) => thinking && (!dropsReasoning || at >= last);

  out.ours(BOS);
  const effort = thinking && turns.length > 0 ? layout.effort(options.template?.reasoning_effort) : '';
  if (effort !== '' && turns[0]?.role !== 'system') out.ours(layout.systemToken);
  for (const [at, turn] of turns.entries()) {
    if (turn.role === 'system') out.ours(layout.systemToken);
    if (at === 0) out.ours(effort);
    writeTurn(out, turn, thinks(at), layout);
    const isLast = at === turns.length - 1;
    if (!isAsked(turn, at) || (isLast ? options.generate === false : turns[at + 1]?.role !== 'assistant'))
      continue;
    out.ours('<｜Assistant｜>').ours(thinks(at) ? '<think>' : '</think>');
  }
}

function writeTurn(out: Writer, turn: Turn, thinks: boolean, layout: V4Layout): void {
  if (turn.role === 'user') writeBlocks(out.ours('<｜User｜>'), turn.blocks);
  else if (turn.role === 'assistant') writeAssistant(out, turn.message, turn.field, thinks, layout);
  else {
    out.outside(turn.text, turn.field);
    if (turn.tools.length > 0) dsmlTools(layout)(out.ours('\n\n'), turn.tools);
  }
}

function writeAssistant(
  out: Writer,
  message: AssistantMessage,
  field: string,
  thinks: boolean,
  layout: V4Layout,
): void {
  if (writeOwnTurn(out, message, thinks)) return;
  if (thinks) out.outside(reasoningOf(message) ?? '', field).ours('</think>');
  out.outside(textOf(message), field);
  const calls = callsOf(message);
  if (calls.length > 0) writeDsmlCalls(out.ours('\n\n'), calls, layout);
  out.ours(EOS);
}

function writeBlocks(out: Writer, blocks: readonly Block[]): void {
  for (const [at, block] of blocks.entries()) {
    if (at > 0) out.ours('\n\n');
    if (block.type === 'text') out.outside(block.text, block.field);
    else
      out.ours('<tool_result>').outside(resultText(block, '\n\n'), resultField(block)).ours('</tool_result>');
  }
}

// --- turns ---------------------------------------------------------------------------------------------

/**
 * Groups messages into turns. The tools belong to the first message if it is a system message; otherwise an empty one
 * is inserted for them.
 */
function turnsOf({ messages, tools }: Conversation, layout: V4Layout): Turn[] {
  const turns: Turn[] = [];
  let calls: ToolCall[] = [];
  if (tools.length > 0 && messages[0]?.role !== 'system') {
    turns.push({ role: 'system', text: '', tools, field: 'tools' });
  }
  for (const [at, message] of messages.entries()) {
    addTurn(turns, message, contentField(at), layout);
    if (message.role === 'tool') orderBlocks(turns.at(-1), calls);
    else if (callsOf(message).length > 0) calls = callsOf(message);
  }
  const [first] = turns;
  if (first?.role === 'system') first.tools = tools;
  return turns;
}

function addTurn(turns: Turn[], message: Message, field: string, layout: V4Layout): void {
  const before = turns.at(-1);
  if (message.role === 'assistant') turns.push({ role: 'assistant', message, field });
  else if (message.role === 'system') {
    turns.push({ role: 'system', text: textOf(message, layout.partSeparator), tools: [], field });
  } else {
    const blocks: Block[] =
      message.role === 'tool'
        ? message.parts
        : [{ type: 'text', text: textOf(message, layout.partSeparator), field }];
    if (before?.role === 'user') before.blocks.push(...blocks);
    else turns.push({ role: 'user', blocks: [...blocks] });
  }
}

/** Sorts the results of a turn by their calls; texts keep their places. Results of unknown calls come first. */
function orderBlocks(turn: Turn | undefined, calls: readonly ToolCall[]): void {
  if (turn?.role !== 'user') return;
  const places = new Map(calls.map((call, place) => [call.id, place]));
  const placeOf = (result: ToolResult) => places.get(result.callId) ?? 0;
  const results = turn.blocks
    .filter((block) => block.type === 'tool-result')
    .sort((a, b) => placeOf(a) - placeOf(b));
  turn.blocks = turn.blocks.map((block) => (block.type === 'text' ? block : (results.shift() ?? block)));
}

// --- reasoning effort ----------------------------------------------------------------------------------

/**
 * Gives V4's text for an effort, in the words of the release. `low`, and efforts below `high` of other APIs, have none.
 */
function effortProse(effort: unknown): string {
  switch (effortWord(effort, 'low')) {
    case 'max':
      return `Reasoning Effort: Beyond maximum — exhaustive, relentless, and uncompromising.
You MUST reason with the utmost depth and rigor, leaving absolutely nothing to chance: exhaustively decompose the problem into its most fundamental components, trace every causal chain to its root, and resolve the underlying cause rather than any surface symptom.
Do not stop reasoning until you have independently verified the solution from multiple angles and are certain that no assumption remains unchecked and no error remains undiscovered.

`;
    case 'high':
      return `Reasoning Effort: Absolute maximum with no shortcuts permitted.
You MUST be very thorough in your thinking and comprehensively decompose the problem to resolve the root cause, rigorously stress-testing your logic against all potential paths, edge cases, and adversarial scenarios.
Explicitly write out your entire deliberation process, documenting every intermediate step, considered alternative, and rejected hypothesis to ensure absolutely no assumption is left unchecked.

`;
    default:
      return '';
  }
}

function effortNumber(effort: unknown): number {
  if (typeof effort === 'number' && Number.isInteger(effort) && effort >= 1 && effort <= 100) return effort;
  return { low: 50, high: 75, max: 100 }[effortWord(effort, 'high')];
}

type Effort = 'low' | 'high' | 'max';

/** Maps the efforts of other APIs, which have more words, to DeepSeek's. */
function effortWord(effort: unknown, otherwise: Effort): Effort {
  if (effort === undefined || effort === null) return otherwise;
  if (effort === 'none' || effort === 'minimal' || effort === 'low' || effort === 'medium') return 'low';
  if (effort === 'high' || effort === 'xhigh') return 'high';
  if (effort === 'max') return 'max';
  throw new UsageError(
    'bad-options',
    "expected 'low', 'high' or 'max' (deepseek-v4.1: or a number from 1 to 100)",
    'template.reasoning_effort',
  );
}
