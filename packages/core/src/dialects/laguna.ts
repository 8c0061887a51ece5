// laguna: Poolside's Laguna.
//
//   <tool_call>get_weather
//   <arg_key>city</arg_key>
//   <arg_value>Beijing</arg_value>
//   </tool_call>
//
// Calls as glm-4.5 writes them, in turns of its own. The prompt ends with <think>, so the completion starts inside the
// reasoning; without thinking it ends with </think>. The whole prompt is that of Laguna XS 2.1, save that an earlier
// answer without reasoning has no </think> of its own.

import { defineDialect } from '../families/declared/define-dialect.js';

export const laguna = defineDialect({
  name: 'laguna',
  aliases: ['poolside_v1', 'poolside'],
  about: 'As glm-4.5; the prompt itself opens the reasoning.',
  models: ['Laguna XS', 'Laguna S', 'Laguna'],
  templateSigns: [['<available_tools>', '<arg_key>', '</assistant>']],
  calls: {
    family: 'tags',
    call: { open: '<tool_call>{name}', close: '</tool_call>' },
    argument: {
      key: { open: '<arg_key>', close: '</arg_key>' },
      value: { open: '<arg_value>', close: '</arg_value>' },
    },
    layout: { call: '\n', key: '\n', argument: '\n', behind: '\n' },
    jsonCalls: true,
  },
  reasoning: { open: '<think>', close: '</think>', starts: true, kept: 'all' },
  results: { each: '<tool_response>\n{output}\n</tool_response>', between: '\n' },
  teach: {
    text: `### Tools

You may call functions to assist with the user query.
All available function signatures are listed below:
<available_tools>
{tools}
</available_tools>

For each function call, return an unescaped XML-like object with function name and arguments within '<tool_call>' and '</tool_call>' tags, like here:
<tool_call>function-name
<arg_key>argument-key</arg_key>
<arg_value>value-of-argument-key</arg_value>
</tool_call>`,
    tools: 'openai',
  },
  turns: {
    begin: '〈|EOS|〉',
    system: { open: '<system>\n\n', close: '\n</system>\n' },
    user: { open: '<user>\n', close: '\n</user>\n' },
    assistant: { open: '<assistant>\n', close: '\n</assistant>\n' },
    results: { open: '', close: '\n' },
    reasoning: { open: '<think>\n', close: '\n</think>\n' },
    generation: { usual: '</think>', thinking: '<think>' },
  },
  ends: ['</assistant>', '〈|EOS|〉'],
});
