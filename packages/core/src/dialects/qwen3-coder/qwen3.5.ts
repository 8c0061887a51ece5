// The prompts of Qwen3.5 and Qwen3.8: definitions as JSON, the tools before the system text, texts without the white
// space around them, and reasoning that the prompt opens.
//
//   <|im_start|>assistant\n<think>\nReasoning\n</think>\n\nText\n\n<tool_call>…
//
// Qwen3.8 keeps the reasoning of all turns (`preserve_thinking`), says how much to think (`reasoning_effort`), and writes
// true and null in calls as JSON does.

import type { PromptVariant, RenderOptions, Writer } from '../../engine/dialect.js';
import { callsOf, contentField } from '../../engine/message-text.js';
import { chatmlFrames } from '../../families/writing/chatml.js';
import { effortOption } from '../../families/writing/effort-words.js';
import { templateText } from '../../families/writing/prompt-parts.js';
import { strip } from '../../families/writing/python-text.js';
import {
  type Answer,
  lastQuery,
  ownSection,
  systemSection,
  type TurnLayout,
  thoughtOf,
  toolsSection,
  turnPrompt,
} from '../../families/writing/turn-prompt.js';
import { type CallsLayout, writeCalls } from './calls.js';
import { writeJsonTools } from './tools.js';

const qwen35Turns: TurnLayout = {
  ...chatmlFrames,
  lead: ({ system, tools }) => {
    const text = system === undefined ? undefined : strip(system);
    return [
      toolsSection(writeJsonTools, tools),
      systemSection(tools.length > 0 && text === '' ? undefined : text),
    ];
  },
  trim: strip,
  query: lastQuery,
  keeps: ({ isCurrent }) => isCurrent,
  answer: (out, answer) => writeAnswer(out, answer, answer.isCurrent),
  generation: ({ thinking }) => (thinking === false ? '<think>\n\n</think>\n\n' : '<think>\n'),
};

const qwen38Turns: TurnLayout = {
  ...qwen35Turns,
  lead: ({ system = '', tools, options }) => [
    ownSection(effortText(options)),
    toolsSection(writeJsonTools, tools),
    systemSection(strip(system) || undefined),
  ],
  keeps: keepsAll,
  answer: (out, answer) => writeAnswer(out, answer, keepsAll(answer), { words: 'json' }),
};

function keepsAll({ isCurrent, options }: Answer): boolean {
  return isCurrent || options.template?.preserve_thinking !== false;
}

const efforts: Readonly<Record<string, string>> = {
  low: 'Reasoning effort is set to low. Keep your thinking brief and focused, moving directly to the conclusion without unnecessary elaboration.',
  medium: '',
  xhigh:
    'Reasoning effort is set to xhigh. Please think carefully through the task, validate key assumptions, consider plausible alternatives, and prioritize correctness, consistency, and clarity in the final answer.',
};

function effortText({ thinking, template = {} }: RenderOptions): string {
  if (thinking === false) return '';
  return efforts[templateText(template, 'reasoning_effort') ?? 'xhigh'] ?? '';
}

function writeAnswer(out: Writer, { message, at }: Answer, keeps: boolean, layout: CallsLayout = {}): void {
  const { reasoning, text } = thoughtOf(message);
  const field = contentField(at);
  const said = strip(text);
  const calls = callsOf(message);
  if (keeps) out.ours('<think>\n').outside(strip(reasoning), field).ours('\n</think>\n\n');
  out.outside(said, field);
  writeCalls(out.ours(said !== '' && calls.length > 0 ? '\n\n' : ''), calls, undefined, layout);
}

export const qwen35: PromptVariant = {
  name: 'qwen3.5',
  models: ['Qwen3.5', 'Qwen3.6'],
  prompt: turnPrompt(qwen35Turns),
};

export const qwen38: PromptVariant = {
  name: 'qwen3.8',
  models: ['Qwen3.8'],
  prompt: turnPrompt(qwen38Turns),
  effort: effortOption('reasoning_effort', ['low', 'medium', 'xhigh', 'xhigh']),
};
