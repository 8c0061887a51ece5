// What the dialects with ChatML turns share: tokens, the frames of turns, and the tokens that divide a prompt.
//
//   <|im_start|>user\nTime?<|im_end|>\n<|im_start|>user\n<tool_response>\n12:00\n</tool_response><|im_end|>\n

import type { Grammar, TurnToken } from '../../engine/dialect.js';
import { PLAIN_RESULTS, resultsIn } from '../declared/declared-results.js';
import { forgedResults } from '../declared/dialect-parts.js';
import type { TurnLayout } from './turn-prompt.js';

const START = '<|im_start|>';
const END = '<|im_end|>\n';

/**
 * Every marker in a ChatML prompt of Qwen, and the tokens of Granite 4 and of Hermes 3 on Llama 3, which write calls as
 * Qwen does. Those without an end stand for all that begin so. Granite's <schema> and <documents> are left: to all others
 * they are plain words.
 */
export const chatmlTokens: readonly string[] = (
  '<|im_start|> <|im_end|> <|endoftext|> <|object_ref_ <|box_ <|quad_ <|vision_ <|image_ <|video_ <|audio_ <|fim_ ' +
  '<|repo <|file <|start_ <|end_ <|begin_of_ <|unused_ <|unk|> <|pad|> <|eo <|python_tag|> <|reserved_ ' +
  '<think> </think> <think_o <tools> </tools> <tool_call> </tool_call> <tool_response> </tool_response>'
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
