// Writes the prompt of Qwen3, which speaks hermes, in ChatML turns:
//
//   <|im_start|>user\nTime?<|im_end|>\n<|im_start|>assistant\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>
//   <|im_end|>\n<|im_start|>user\n<tool_response>\n12:00\n</tool_response><|im_end|>\n
//
// It follows the vendor's chat template, except that `null` content is empty and no error.

import type { JsonCalls } from '../../engine/declaration.js';
import type { Render, Writer } from '../../engine/dialect.js';
import { callsOf, contentField, reasoningOf, textOf } from '../../engine/message-text.js';
import { toolsIn } from '../../families/declared/tools-text.js';
import { writeJsonCalls } from '../../families/json/json-writing.js';
import { chatmlFrames, chatmlStop, chatmlTurns, writeResponses } from '../../families/writing/chatml.js';
import { stripBreaks, stripLeadingBreaks } from '../../families/writing/python-text.js';
import { readToolLines, SIGNATURES, teaching } from '../../families/writing/tool-text.js';
import {
  type Answer,
  lastQuery,
  systemSection,
  type TurnLayout,
  thoughtOf,
  toolsSection,
  turnPrompt,
} from '../../families/writing/turn-prompt.js';

/** The calls as they are written. All of the keys are read. */
export const hermesCalls = {
  family: 'json',
  open: '<tool_call>',
  close: '</tool_call>',
  shape: 'object',
  inside: ['\n', '\n'],
  keys: {
    name: ['name', 'tool_name', 'function_name', 'tool', 'function'],
    arguments: ['arguments', 'parameters', 'input', 'params', 'args'],
  },
} as const satisfies JsonCalls;

export const writeHermesTools = toolsIn({
  text: `${SIGNATURES}

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>`,
  tools: 'openai',
});

/** The turns of Qwen's models that speak hermes, without reasoning in their template. */
export const qwenTurns: TurnLayout = {
  ...chatmlFrames,
  lead: ({ system, tools }) => [systemSection(system), toolsSection(writeHermesTools, tools)],
  query: lastQuery,
  keeps: ({ isCurrent }) => isCurrent,
  answer: (out, answer) => writeHermesAnswer(out, answer, textOf(answer.message), loopThought(answer)),
  generation: () => '',
};

/** The reasoning for a template without any: that of a tool loop, where it is asked for. */
export function loopThought({ message, isCurrent, options }: Answer): string | undefined {
  return (options.reasoning && isCurrent && reasoningOf(message)) || undefined;
}

export function writeHermesAnswer(
  out: Writer,
  { message, at }: Answer,
  text: string,
  thought: string | undefined,
): void {
  const field = contentField(at);
  const thinks = thought !== undefined;
  if (thinks) out.ours('<think>\n').outside(stripBreaks(thought), field).ours('\n</think>\n\n');
  out.outside(thinks ? stripLeadingBreaks(text) : text, field);
  writeJsonCalls(out, callsOf(message), text !== '', hermesCalls);
}

const qwen3: TurnLayout = {
  ...qwenTurns,
  answer: (out, answer) => {
    const { reasoning, text } = thoughtOf(answer.message);
    // Empty reasoning is written only in the last message.
    const shows = answer.isCurrent && (answer.isLast || reasoning !== '');
    writeHermesAnswer(out, answer, text, shows ? reasoning : undefined);
  },
  generation: ({ thinking }) => (thinking === false ? '<think>\n\n</think>\n\n' : ''),
};

export const hermesRender: Render = {
  instructions: teaching(
    {
      example: '<tool_call>\n{"name": "NAME", "arguments": {"key": "text", "count": 2}}\n</tool_call>',
      rules:
        'Inside the tags stands one JSON object and nothing else, with the name of the tool and an object of its ' +
        'arguments ({} if there are none). For several calls write several such blocks.',
      result: '<tool_response>...</tool_response>',
    },
    writeHermesTools,
  ),
  calls: (out, calls, { afterText }) => writeJsonCalls(out, calls, afterText, hermesCalls),
  results: writeResponses,
  prompt: turnPrompt(qwen3),
  stop: chatmlStop,
  back: { turns: chatmlTurns, tools: readToolLines },
};
