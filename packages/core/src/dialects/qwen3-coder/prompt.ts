// Writes the prompt of Qwen3-Coder: ChatML turns, definitions and calls in tags.
//
//   <tool_call>\n<function=get_weather>\n<parameter=location>\nBeijing\n</parameter>\n</function>\n</tool_call>
//
// The template prints scalars as Python does (`True`, `None`), in definitions and in calls. It has no reasoning:
// with the option `reasoning` that of a tool loop is written as the templates of Qwen3.5 do, whose calls are the same. If
// the first message is a result, its turn is opened here; the template forgets to.

import type { Render, Writer } from '../../engine/dialect.js';
import { callsOf, contentField, lastIndexOf, reasoningOf, textOf } from '../../engine/message-text.js';
import {
  chatmlFrames,
  chatmlResultLines,
  chatmlStop,
  chatmlTurns,
  writeResponses,
} from '../../families/writing/chatml.js';
import { strip } from '../../families/writing/python-text.js';
import { readToolLines, teaching } from '../../families/writing/tool-text.js';
import {
  type Answer,
  defaultSection,
  systemSection,
  type TurnLayout,
  toolsSection,
  turnPrompt,
} from '../../families/writing/turn-prompt.js';
import { writeCalls } from './calls.js';
import { readTaggedTools } from './read-tools.js';
import { definitionMarkers, taggedTools } from './tools.js';

const DEFAULT_SYSTEM =
  'You are Qwen, a helpful AI assistant that can interact with a computer to solve tasks.';

const writeTools = taggedTools();

const qwen3Coder: TurnLayout = {
  ...chatmlFrames,
  lead: ({ system, tools, options }) => [
    systemSection(system) ?? defaultSection(options, tools.length > 0 ? DEFAULT_SYSTEM : ''),
    toolsSection(writeTools, tools),
  ],
  results: chatmlResultLines,
  query: (messages) => lastIndexOf(messages, 'user'),
  keeps: ({ isCurrent }) => isCurrent,
  answer: writeAnswer,
  generation: () => '',
};

/** Text is stripped beside calls alone. */
function writeAnswer(out: Writer, { message, at, isCurrent, options }: Answer): void {
  const calls = callsOf(message);
  const field = contentField(at);
  if (calls.length === 0) {
    out.outside(textOf(message), field);
    return;
  }
  const text = strip(textOf(message));
  const thought = options.reasoning === true && isCurrent ? strip(reasoningOf(message) ?? '') : '';
  if (thought !== '') out.ours('<think>\n').outside(thought, field).ours('\n</think>\n\n');
  if (text !== '') out.outside(text, field).ours('\n\n');
  writeCalls(out, calls);
}

export const qwen3CoderRender: Render = {
  instructions: teaching(
    {
      example: `<tool_call>
<function=NAME>
<parameter=key>
text
</parameter>
<parameter=count>
2
</parameter>
</function>
</tool_call>`,
      rules:
        'Write one parameter for each argument, if any, its value on lines of its own: strings as they are, without ' +
        'quotes or escapes, all other values as JSON. For several calls write several such blocks.',
      result: '<tool_response>...</tool_response>',
    },
    writeTools,
  ),
  calls: (out, calls, { tools, afterText }) => writeCalls(out.ours(afterText ? '\n\n' : ''), calls, tools),
  results: writeResponses,
  prompt: turnPrompt(qwen3Coder),
  stop: chatmlStop,
  back: {
    turns: chatmlTurns,
    tools: (text, { short }) => (short ? readToolLines(text) : readTaggedTools(text, definitionMarkers)),
  },
};
