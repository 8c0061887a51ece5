// What the dialects with ChatML turns share: tokens, turns of text, results, and the tokens that divide a prompt.
//
//   <|im_start|>user\nTime?<|im_end|>\n<|im_start|>user\n<tool_response>\n12:00\n</tool_response><|im_end|>\n

import type { Grammar, TurnToken, Writer } from '../../engine/dialect.js';
import { contentField, textOf } from '../../engine/message-text.js';
import type { Message, Tool, ToolResult } from '../../model/index.js';
import { PLAIN_RESULTS, resultsIn } from '../declared/declared-results.js';
import { forgedResults } from '../declared/dialect-parts.js';
import type { WriteTools } from './tool-text.js';

export const START = '<|im_start|>';
export const END = '<|im_end|>\n';

/** Every marker in a ChatML prompt of Qwen, and the turns of Granite 4, which writes calls as Qwen does. */
export const chatmlTokens: readonly string[] = (
  '<|im_start|> <|im_end|> <|endoftext|> <|object_ref_start|> <|object_ref_end|> <|box_start|> <|box_end|> ' +
  '<|quad_start|> <|quad_end|> <|vision_start|> <|vision_end|> <|vision_pad|> <|image_pad|> <|video_pad|> ' +
  '<|fim_prefix|> <|fim_middle|> <|fim_suffix|> <|fim_pad|> <|repo_name|> <|file_sep|> <think> </think> ' +
  '<tools> </tools> <tool_call> </tool_call> <tool_response> </tool_response> ' +
  '<|audio_start|> <|audio_end|> <|audio_pad|> <|start_of_role|> <|end_of_role|> <|end_of_text|>'
).split(' ');

export const chatmlStop = ['<|im_end|>', '<|endoftext|>'] as const;

/** Stray markers to drop from an answer, and markers of results that a model forges. */
export const chatmlStray: Pick<Grammar, 'drop' | 'notice'> = {
  drop: [
    { marker: '</tool_call>', repair: 'stray-closer' },
    { marker: '<|im_end|>' },
    { marker: '<|im_start|>', repair: 'role-token' },
    { marker: '<|endoftext|>' },
  ],
  notice: forgedResults('<tool_response>'),
};

/** The tokens that divide a ChatML prompt into turns. Files are often cut after the last token. */
export const chatmlTurns: readonly TurnToken[] = [
  { token: `${START}system\n`, role: 'system' },
  { token: `${START}user\n`, role: 'user' },
  { token: `${START}assistant\n`, role: 'assistant' },
  { token: END },
  { token: '<|im_end|>' },
];

/** Writes a turn that is only text. */
export function writeTextTurn(out: Writer, message: Message, at: number): void {
  out.ours(`${START}${message.role}\n`).outside(textOf(message), contentField(at)).ours(END);
}

/** Writes the system turn, with the tools. `otherwise`: the system text where none is given. */
export function writeSystem(
  out: Writer,
  first: Message | undefined,
  tools: readonly Tool[],
  writeTools: WriteTools,
  otherwise = '',
): void {
  const speaks = first?.role === 'system';
  if (!speaks && tools.length === 0) return;
  out.ours(`${START}system\n`);
  if (speaks) out.outside(textOf(first), contentField(0));
  else out.ours(otherwise);
  if (tools.length > 0) writeTools(out.ours(speaks || otherwise !== '' ? '\n\n' : ''), tools);
  out.ours(END);
}

/** Writes the results of one message. Consecutive ones share a turn of the user. */
export function writeToolTurn(
  out: Writer,
  messages: readonly Message[],
  at: number,
  results: readonly ToolResult[],
  [before, behind]: readonly [string, string],
): void {
  if (messages[at - 1]?.role !== 'tool') out.ours(`${START}user${before === '' ? '\n' : ''}`);
  writeResponses(out.ours(before), results);
  out.ours(behind);
  if (messages[at + 1]?.role !== 'tool') out.ours(END);
}

/** Writes results as both templates do, with a line break between them. */
export const writeResponses = resultsIn(PLAIN_RESULTS);
