// Reads prompts of DeepSeek back: what all versions share, and what differs.

import type { ReadBack, TurnToken } from '../../engine/dialect.js';
import { readToolLines } from '../../families/writing/tool-lines.js';
import { BOS, EOS } from './dsml-calls.js';
import { SYSTEM_TOKEN } from './v4-prompt.js';

/**
 * The tokens that divide the prompts of all versions into turns. Text without a token after an answer is system text.
 */
export const deepseekTurns: readonly TurnToken[] = [
  { token: BOS, next: 'system' },
  { token: '<｜User｜>', role: 'user' },
  { token: '<｜Assistant｜>', role: 'assistant' },
  { token: EOS, ends: 'assistant', next: 'system' },
];

/** Template options to try: an effort changes how a prompt begins, and `drop_thinking` which reasoning it holds. */
const templates = [
  { drop_thinking: false },
  ...['low', 'high', 'max'].flatMap((reasoning_effort) => [
    { reasoning_effort },
    { reasoning_effort, drop_thinking: false },
  ]),
];

export const deepseekV4Back: ReadBack = { turns: deepseekTurns, templates, tools: readToolLines };

export const deepseekV41Back: ReadBack = {
  ...deepseekV4Back,
  turns: [...deepseekTurns, { token: SYSTEM_TOKEN, role: 'system' }],
};

export const deepseekV32Back: ReadBack = {
  turns: [
    ...deepseekTurns,
    { token: '<function_results>', role: 'tool', keep: 'behind' },
    { token: '</function_results>', next: 'assistant', keep: 'before' },
  ],
  tools: readToolLines,
};
