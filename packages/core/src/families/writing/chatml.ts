// What the dialects with ChatML turns share: tokens, turns of text, results, and the tokens that divide a prompt.
//
//   <|im_start|>user\nTime?<|im_end|>\n<|im_start|>user\n<tool_response>\n12:00\n</tool_response><|im_end|>\n

import type { Grammar, TurnToken, Writer } from '../../engine/dialect.js';
import { contentField, resultField, textOf } from '../../engine/message-text.js';
import { resultText } from '../../engine/result-text.js';
import type { Message, ToolResult } from '../../model/index.js';

export const START = '<|im_start|>';
export const END = '<|im_end|>\n';

/** Every marker in a ChatML prompt of Qwen. */
export const chatmlTokens = [
  '<|im_start|>',
  '<|im_end|>',
  '<|endoftext|>',
  '<|object_ref_start|>',
  '<|object_ref_end|>',
  '<|box_start|>',
  '<|box_end|>',
  '<|quad_start|>',
  '<|quad_end|>',
  '<|vision_start|>',
  '<|vision_end|>',
  '<|vision_pad|>',
  '<|image_pad|>',
  '<|video_pad|>',
  '<|fim_prefix|>',
  '<|fim_middle|>',
  '<|fim_suffix|>',
  '<|fim_pad|>',
  '<|repo_name|>',
  '<|file_sep|>',
  '<think>',
  '</think>',
  '<tools>',
  '</tools>',
  '<tool_call>',
  '</tool_call>',
  '<tool_response>',
  '</tool_response>',
] as const;

export const chatmlStop = ['<|im_end|>', '<|endoftext|>'] as const;

/** Stray markers to drop from an answer, and markers of results that a model forges. */
export const chatmlStray: Pick<Grammar, 'drop' | 'notice'> = {
  drop: [
    { marker: '</tool_call>', repair: 'stray-closer' },
    { marker: '<|im_end|>' },
    { marker: '<|im_start|>', repair: 'role-token' },
    { marker: '<|endoftext|>' },
  ],
  notice: [
    {
      marker: '<tool_response>',
      code: 'forged-result',
      message: 'The model wrote a tool result itself; results come only from the host.',
    },
  ],
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

/** Writes results as both templates do, with a line break between them. */
export function writeResponses(out: Writer, results: readonly ToolResult[]): void {
  for (const [at, result] of results.entries()) {
    if (at > 0) out.ours('\n');
    out.ours('<tool_response>\n').outside(resultText(result), resultField(result)).ours('\n</tool_response>');
  }
}
