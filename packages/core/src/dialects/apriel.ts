// apriel: ServiceNow's Apriel 1.5 and 1.6.
//
//   Here are my reasoning steps:
//   I should look.
//   [BEGIN FINAL RESPONSE]
//   Let me look.
//   <tool_calls>[{"name": "get_weather", "arguments": {"city": "Rome"}}]</tool_calls>
//   [END FINAL RESPONSE]
//
// Calls as jamba writes them. The prompt of 1.6 ends with the line that opens the reasoning; 1.5 writes it itself.
// There is no whole prompt here: the system text of the vendor's templates is long, and differs between the two.

import { defineDialect } from '../families/declared/define-dialect.js';

export const apriel = defineDialect({
  name: 'apriel',
  aliases: ['apriel-1.5', 'apriel-1.6'],
  about: 'A JSON list of calls in <tool_calls>, behind reasoning that ends with [BEGIN FINAL RESPONSE].',
  models: ['Apriel 1.5', 'Apriel 1.6'],
  templateSigns: [['[BEGIN FINAL RESPONSE]', '<tool_calls>']],
  calls: {
    family: 'json',
    open: '<tool_calls>',
    close: '</tool_calls>',
    shape: 'list',
    keys: { name: 'name', arguments: 'arguments' },
  },
  reasoning: { open: 'Here are my reasoning steps:', close: '[BEGIN FINAL RESPONSE]', starts: true },
  results: { each: '<tool_result>\n{output}\n</tool_result>', between: '\n' },
  ends: ['[END FINAL RESPONSE]', '<|end|>'],
  tokens: [
    '<|begin_assistant|>',
    '<|begin_user|>',
    '<|begin_system|>',
    '<|begin_tool_result|>',
    '<|begin_content|>',
    '<|assistant|>',
    '<|user|>',
    '<|system|>',
    '<|tool_result|>',
    '<|content|>',
  ],
  special: ['[IMG]', '<s>', '</s>', '<unk>', '<pad>'],
});
