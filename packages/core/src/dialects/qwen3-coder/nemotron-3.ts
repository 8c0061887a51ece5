// The prompts of Nemotron 3 and 3.5: every answer begins with its reasoning, if only an empty one, and every call ends its
// line.
//
//   <|im_start|>assistant\n<think>\nReasoning\n</think>\nText\n<tool_call>…</tool_call>\n<|im_end|>\n
//   <|im_start|>assistant\n<think></think>Text<|im_end|>\n

import type { PromptVariant, Writer } from '../../engine/dialect.js';
import { callsOf, contentField, lastIndexOf } from '../../engine/message-text.js';
import { chatmlFrames, chatmlResultLines } from '../../families/writing/chatml.js';
import { strip, stripTrailing } from '../../families/writing/python-text.js';
import {
  type Answer,
  systemSection,
  type TurnLayout,
  thoughtOf,
  toolsSection,
  turnPrompt,
} from '../../families/writing/turn-prompt.js';
import { writeCalls } from './calls.js';
import { taggedTools } from './tools.js';

const writeTools = taggedTools({ first: 'enum', last: 'required' });
const NO_REASONING = '<think></think>';

interface AnswerLayout {
  /** The line breaks around the closer of the reasoning. */
  line: '\n' | '';
  /** Text before calls of earlier turns loses the white space around it. */
  strips: boolean;
}

const nemotronTurns = (layout: AnswerLayout): TurnLayout => ({
  ...chatmlFrames,
  lead: ({ system, tools }) => [systemSection(system || undefined), toolsSection(writeTools, tools)],
  alwaysLeads: true,
  results: chatmlResultLines,
  query: (messages) => lastIndexOf(messages, 'user'),
  keeps,
  answer: (out, answer) => writeAnswer(out, answer, layout),
  plain: NO_REASONING,
  generation: ({ thinking }) => (thinking === false ? NO_REASONING : '<think>\n'),
});

function keeps({ isCurrent, options }: Answer): boolean {
  return isCurrent || options.template?.truncate_history_thinking === false;
}

/** The line break behind the reasoning stays where the reasoning is left out, unless the template strips it. */
function writeAnswer(out: Writer, answer: Answer, { line, strips }: AnswerLayout): void {
  const { message, at } = answer;
  const { reasoning, text } = thoughtOf(message);
  const field = contentField(at);
  const calls = callsOf(message);
  const kept = keeps(answer);
  const hasReasoning = strip(reasoning) !== '';
  const isCut = !kept && calls.length > 0;
  const said = isCut ? (strips ? strip(text) : text) : stripTrailing(text);
  if (kept && hasReasoning) out.ours('<think>\n').outside(reasoning, field).ours(`${line}</think>`);
  else out.ours(NO_REASONING);
  out.ours(hasReasoning && said !== '' && !isCut ? line : '').outside(said, field);
  if (calls.length > 0) writeCalls(out.ours('\n'), calls, undefined, { between: '', behind: '\n' });
}

export const nemotron3: PromptVariant = {
  name: 'nemotron-3',
  models: ['Nemotron 3'],
  prompt: turnPrompt(nemotronTurns({ line: '\n', strips: true })),
};

export const nemotron35: PromptVariant = {
  name: 'nemotron-3.5',
  models: ['Nemotron 3.5'],
  prompt: turnPrompt(nemotronTurns({ line: '', strips: false })),
};
