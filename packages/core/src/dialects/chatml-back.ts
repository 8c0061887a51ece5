// ChatML: hermes and Qwen3-Coder.

import type { ReadBack, TurnToken } from '../engine/dialect.js';
import { END, START } from '../families/writing/chatml-prompt.js';
import { readToolLines } from '../families/writing/tool-lines.js';
import { definitionMarkers } from './qwen3-coder/prompt.js';
import { readTaggedTools } from './qwen3-coder/read-tools.js';

/** What divides a ChatML prompt into turns. Files are often cut behind the last token. */
const turns: readonly TurnToken[] = [
  { token: `${START}system\n`, role: 'system' },
  { token: `${START}user\n`, role: 'user' },
  { token: `${START}assistant\n`, role: 'assistant' },
  { token: END },
  { token: '<|im_end|>' },
];

export const hermesBack: ReadBack = { turns, tools: readToolLines };

export const qwen3CoderBack: ReadBack = {
  turns,
  tools: (text, { short }) => (short ? readToolLines(text) : readTaggedTools(text, definitionMarkers)),
};
