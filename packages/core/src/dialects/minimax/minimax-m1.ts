// minimax-m1: MiniMax M1.
//
//   <tool_calls>
//   {"name": "get_weather", "arguments": {"location": "Beijing"}}
//   {"name": "get_time", "arguments": {}}
//   </tool_calls>
//
// The vendor's template drops text that stands beside calls; the whole prompt here keeps it. The vendor's system text is
// written with the option `defaultSystem`.

import { defineDialect } from '../../families/declared/define-dialect.js';

export const minimaxM1 = defineDialect({
  name: 'minimax-m1',
  aliases: ['minimax_m1'],
  about: 'One JSON object a line in <tool_calls>.',
  models: ['MiniMax-M1-40k', 'MiniMax-M1-80k'],
  templateSigns: [['<beginning_of_sentence>', '<tool_calls>']],
  calls: {
    family: 'json',
    open: '<tool_calls>',
    close: '</tool_calls>',
    shape: 'objects',
    inside: ['\n', '\n'],
    keys: { name: 'name', arguments: 'arguments' },
  },
  reasoning: { open: '<think>', close: '</think>' },
  results: { each: '<tool_response>\n{output}\n</tool_response>', between: '\n' },
  teach: {
    text: `You are provided with these tools:
<tools>
{tools}
</tools>

If you need to call tools, please respond with <tool_calls></tool_calls> XML tags, and provide tool-name and json-object of arguments, following the format below:
<tool_calls>
{"name": <tool-name>, "arguments": <args-json-object>}
...
</tool_calls>`,
    tools: 'openai',
  },
  turns: {
    begin: '<begin_of_document>',
    defaultSystem: {
      text: 'You are a helpful assistant created by Minimax based on MiniMax-M1 model.',
      asked: true,
    },
    system: { open: '<beginning_of_sentence>system ai_setting=assistant\n', close: '<end_of_sentence>\n' },
    tools: {
      at: 'behind-system',
      open: '<beginning_of_sentence>system tool_setting=tools\n',
      close: '<end_of_sentence>\n',
    },
    user: { open: '<beginning_of_sentence>user name=user\n', close: '<end_of_sentence>\n' },
    assistant: { open: '<beginning_of_sentence>ai name=assistant\n', close: '<end_of_sentence>\n' },
    results: {
      open: '<beginning_of_sentence>tool name=tools\n',
      close: '<end_of_sentence>\n',
      each: true,
      says: 'tool result: {output}\n\n',
    },
    reasoning: { open: '<think>', close: '</think>', kept: 'none' },
    trims: true,
  },
  ends: ['<end_of_sentence>'],
  tokens: ['<beginning_of_sentence>'],
  special: ['<begin_of_document>', '<end_of_document>'],
});
