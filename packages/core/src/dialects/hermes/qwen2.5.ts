// The prompts of Qwen2.5, MiMo-VL and QwQ: turns as Qwen3's, without reasoning in the turns before.
//
// QwQ begins to reason in the prompt, and its template leaves out all reasoning of the conversation, also in a tool loop;
// here the option `reasoning` keeps that of the loop.

import type { PromptVariant } from '../../engine/dialect.js';
import { textOf } from '../../engine/message-text.js';
import { stripLeadingBreaks } from '../../families/writing/python-text.js';
import {
  defaultSection,
  systemSection,
  type TurnLayout,
  toolsSection,
  turnPrompt,
} from '../../families/writing/turn-prompt.js';
import { loopThought, qwenTurns, writeHermesAnswer, writeHermesTools } from './prompt.js';

/** Turns with the vendor's own system text where none is given and it is asked for. */
const withSystem = (text: string): TurnLayout => ({
  ...qwenTurns,
  lead: ({ system, tools, options }) => [
    systemSection(system) ?? defaultSection(options, text),
    toolsSection(writeHermesTools, tools),
  ],
});

const qwqTurns: TurnLayout = {
  ...qwenTurns,
  // The tools are set off by an empty line, system text or none.
  lead: ({ system, tools }) => [
    systemSection(tools.length > 0 ? (system ?? '') : system),
    toolsSection(writeHermesTools, tools),
  ],
  keeps: ({ isCurrent, options }) => isCurrent && options.reasoning === true,
  answer: (out, answer) => {
    const text = textOf(answer.message);
    const said = answer.isLast ? text : stripLeadingBreaks(text.split('</think>').at(-1) ?? '');
    writeHermesAnswer(out, answer, said, loopThought(answer));
  },
  generation: ({ thinking }) => (thinking === false ? '<think>\n</think>' : '<think>\n'),
};

export const qwen25: PromptVariant = {
  name: 'qwen2.5',
  models: ['Qwen2.5'],
  prompt: turnPrompt(withSystem('You are Qwen, created by Alibaba Cloud. You are a helpful assistant.')),
};

export const mimoVl: PromptVariant = {
  name: 'mimo-vl',
  models: ['MiMo-VL'],
  prompt: turnPrompt(withSystem('You are MiMo, an AI assistant developed by Xiaomi.')),
};

export const qwq: PromptVariant = { name: 'qwq', models: ['QwQ'], prompt: turnPrompt(qwqTurns) };
