// Reads prompts of DeepSeek back: what all versions share, and what differs.

import type { ReadBack, TurnToken } from '../../engine/dialect.js';
import { defineMarkers, restore } from '../../engine/markers.js';
import { readToolLines } from '../../families/writing/tool-text.js';
import { BOS, deepseekTokens, EOS } from './dsml-calls.js';
import { SYSTEM_TOKEN } from './v4-prompt.js';

/**
 * The tokens that divide the prompts of all versions into turns. Text without a token after an answer is system text.
 */
const deepseekTurns: readonly TurnToken[] = [
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

export const deepseekV31Back: ReadBack = {
  turns: [
    ...deepseekTurns,
    { token: '<｜tool▁output▁begin｜>', role: 'tool', keep: 'behind' },
    { token: '<｜tool▁output▁end｜>', next: 'assistant', keep: 'before' },
  ],
  tools: (text, { short }) => (short ? readToolLines(text) : readV31Tools(text)),
};

const v31Markers = defineMarkers(deepseekTokens);
const V31_TOOL = '\n### ';
const V31_DESCRIPTION = '\nDescription: ';
const V31_PARAMETERS = '\n\nParameters: ';

/** Reads the definitions, from after the first `### `. Parameters are JSON, which has no raw line breaks. */
function readV31Tools(text: string): unknown[] | undefined {
  const tools: unknown[] = [];
  for (let at = 0; at < text.length; ) {
    const middle = text.indexOf(V31_PARAMETERS, at);
    if (middle < 0) return undefined;
    const start = middle + V31_PARAMETERS.length;
    const end = text.indexOf('\n', start);
    const [parameters] = readToolLines(text.slice(start, end < 0 ? text.length : end)) ?? [];
    if (parameters === undefined) return undefined;
    const head = text.slice(at, middle);
    const cut = head.indexOf(V31_DESCRIPTION);
    const description =
      cut < 0 ? {} : { description: restore(head.slice(cut + V31_DESCRIPTION.length), v31Markers) };
    tools.push({ name: cut < 0 ? head : head.slice(0, cut), ...description, parameters });
    at = end < 0 ? text.length : end + 1 + V31_TOOL.length;
  }
  return tools;
}
