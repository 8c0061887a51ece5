// What the dialects with ChatML turns share: tokens, the frames of turns, and the tokens that divide a prompt.
//
//   <|im_start|>user\nTime?<|im_end|>\n<|im_start|>user\n<tool_response>\n12:00\n</tool_response><|im_end|>\n

import type { Grammar, TurnToken } from '../../engine/dialect.js';
import { PLAIN_RESULTS, resultsIn } from '../declared/declared-results.js';
import { forgedResults } from '../declared/dialect-parts.js';
import type { TurnLayout } from './turn-prompt.js';

const START = '<|im_start|>';
const END = '<|im_end|>\n';

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
export const chatmlStray: Required<Pick<Grammar, 'drop' | 'notice'>> = {
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

/** The frames of turns, and of results in a turn of the user. */
export const chatmlFrames = {
  open: (role) => `${START}${role}\n`,
  close: () => END,
  results: { open: `${START}user`, each: '\n<tool_response>\n{output}\n</tool_response>', close: END },
} as const satisfies Pick<TurnLayout, 'open' | 'close' | 'results'>;

/** The same with a line break behind each result, and none before it. */
export const chatmlResultLines: TurnLayout['results'] = {
  open: `${START}user\n`,
  each: '<tool_response>\n{output}\n</tool_response>\n',
  close: END,
};

/** Writes results as both templates do, with a line break between them. */
export const writeResponses = resultsIn(PLAIN_RESULTS);
