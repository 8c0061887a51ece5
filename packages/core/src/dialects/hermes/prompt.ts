// Writes the prompt of Qwen3, which speaks hermes, in ChatML turns:
//
//   <|im_start|>user\nTime?<|im_end|>\n<|im_start|>assistant\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>
//   <|im_end|>\n<|im_start|>user\n<tool_response>\n12:00\n</tool_response><|im_end|>\n
//
// It follows the vendor's chat template, except that `null` content is empty and no error.

import type { JsonCalls } from '../../engine/declaration.js';
import type { Render, RenderOptions, Writer } from '../../engine/dialect.js';
import { callsOf, contentField, reasoningOf, textOf } from '../../engine/message-text.js';
import { toolsIn } from '../../families/declared/tools-text.js';
import { writeJsonCalls } from '../../families/json/json-writing.js';
import {
  chatmlStop,
  chatmlTurns,
  END,
  START,
  writeResponses,
  writeSystem,
  writeTextTurn,
  writeToolTurn,
} from '../../families/writing/chatml.js';
import { splitThinking, stripBreaks, stripLeadingBreaks } from '../../families/writing/python-text.js';
import { readToolLines, SIGNATURES, teaching } from '../../families/writing/tool-text.js';
import type { AssistantMessage, Conversation, Message } from '../../model/index.js';

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

const writeTools = toolsIn({
  text: `${SIGNATURES}

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>`,
  tools: 'openai',
});

export const hermesRender: Render = {
  instructions: teaching(
    {
      example: '<tool_call>\n{"name": "NAME", "arguments": {"key": "text", "count": 2}}\n</tool_call>',
      rules:
        'Inside the tags stands one JSON object and nothing else, with the name of the tool and an object of its ' +
        'arguments ({} if there are none). For several calls write several such blocks.',
      result: '<tool_response>...</tool_response>',
    },
    writeTools,
  ),
  calls: (out, calls, { afterText }) => writeJsonCalls(out, calls, afterText, hermesCalls),
  results: writeResponses,
  prompt: writePrompt,
  stop: chatmlStop,
  back: { turns: chatmlTurns, tools: readToolLines },
};

// --- the prompt ----------------------------------------------------------------------------------------

function writePrompt(out: Writer, { messages, tools }: Conversation, options: RenderOptions): void {
  writeSystem(out, messages[0], tools, writeTools);
  const query = lastQuery(messages);
  for (const [at, message] of messages.entries()) {
    if (message.role === 'assistant') {
      const shows = at > query ? (at === messages.length - 1 ? 'always' : 'if-any') : 'never';
      const place = { options, begin: beginning, keeps: at > query, plain: `${START}assistant\n` };
      if (!out.ownWords(message, { ...place, opener: '<think>' })) writeAssistant(out, message, at, shows);
      out.ours(END);
    } else if (message.role === 'tool') writeToolTurn(out, messages, at, message.parts, ['\n', '']);
    else if (message.role === 'user' || at > 0) writeTextTurn(out, message, at);
  }
  if (options.generate !== false) out.ours(beginning(options));
}

function beginning({ thinking }: RenderOptions): string {
  return `${START}assistant\n${thinking === false ? '<think>\n\n</think>\n\n' : ''}`;
}

/** Gives the index of the last user message that is no tool result. Reasoning is kept after it. */
function lastQuery(messages: readonly Message[]): number {
  const found = messages.findLastIndex((message) => message.role === 'user' && !isResponse(textOf(message)));
  return found < 0 ? messages.length - 1 : found;
}

function isResponse(text: string): boolean {
  return text.startsWith('<tool_response>') && text.endsWith('</tool_response>');
}

function writeAssistant(
  out: Writer,
  message: AssistantMessage,
  at: number,
  shows: 'always' | 'if-any' | 'never',
): void {
  const field = contentField(at);
  const given = reasoningOf(message);
  const { reasoning, text } =
    given === undefined ? splitThinking(textOf(message)) : { reasoning: given, text: textOf(message) };
  out.ours(`${START}assistant\n`);
  if (shows === 'always' || (shows === 'if-any' && reasoning !== '')) {
    out.ours('<think>\n').outside(stripBreaks(reasoning), field).ours('\n</think>\n\n');
    out.outside(stripLeadingBreaks(text), field);
  } else out.outside(text, field);
  writeJsonCalls(out, callsOf(message), text !== '', hermesCalls);
}
