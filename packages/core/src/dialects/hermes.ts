// hermes: Hermes 2 and 3, Qwen2.5, Qwen3 and many others.
//
//   <tool_call>
//   {"name": "get_weather", "arguments": {"location": "Beijing"}}
//   </tool_call>
//
// One call a tag. Results in a user turn: <tool_response>\n…\n</tool_response>. Turns are ChatML; the whole
// prompt is Qwen3's, byte for byte. Serving engines agree that a turn ends with its calls, so text behind
// them is set aside.

import type { Dialect } from '../engine/dialect.js';
import { defineMarkers } from '../engine/markers.js';
import { jsonInMarkers } from '../families/json/json-in-markers.js';
import { chatmlTokens, hermesRender } from '../families/writing/chatml-prompt.js';

const markers = defineMarkers(chatmlTokens);

export const hermes: Dialect = {
  name: 'hermes',
  aliases: ['qwen25', 'qwen2.5', 'qwen3'],
  about: 'One JSON object a call in <tool_call>, in ChatML turns.',
  models: [
    'Hermes 2 Pro',
    'Hermes 3',
    'DeepHermes 3',
    'Qwen2.5',
    'Qwen3',
    'QwQ',
    'EXAONE 4',
    'MiMo-VL',
    'Granite 4',
  ],
  traits: {
    ids: false,
    values: 'json',
    streams: true,
    reasoning: { open: '<think>', close: '</think>' },
    callsInReasoning: 'if-unclosed',
    startsInReasoning: true,
    textAfterCalls: 'aside',
    coercesStrings: false,
    resultRole: 'user',
  },
  markers,
  grammar: {
    openers: jsonInMarkers({
      open: '<tool_call>',
      close: '</tool_call>',
      list: false,
      keys: {
        name: ['name', 'tool_name', 'function_name', 'tool', 'function'],
        arguments: ['arguments', 'parameters', 'input', 'params', 'args'],
      },
    }),
    drop: [
      { marker: '</tool_call>', repair: 'stray-closer' },
      { marker: '<|im_end|>' },
      { marker: '<|im_start|>', repair: 'role-token' },
      { marker: '<|endoftext|>' },
    ],
    notice: [
      {
        marker: '<tool_response>',
        code: 'forged-result',
        message: 'The model wrote a tool result itself; results come only from the host.',
      },
    ],
  },
  render: hermesRender,
};
