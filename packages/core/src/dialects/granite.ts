// granite: IBM's Granite 3.0 to 3.3. (Granite 4 writes hermes.)
//
//   <|tool_call|>[{"name": "get_weather", "arguments": {"location": "Beijing"}}]
//
// Granite 3.0 and 3.1 also write <tool_call>, without a closing tag. Granite 3.3 thinks in <think> and may put its
// answer in <response>: both tags around the answer are read as if they were not there, and not written. The headings
// in prose with which Granite 3.2 parts thought and answer stay text. The whole prompt is that of Granite 3.3, whose
// template does not know calls; where no system text is given, it writes one with the date of the day, and none is here.

import { defineDialect } from '../families/declared/define-dialect.js';

export const granite = defineDialect({
  name: 'granite',
  aliases: ['granite3', 'granite-3.1', 'granite-3.2', 'granite-3.3'],
  about: 'A JSON list of calls behind <|tool_call|>.',
  models: ['Granite 3.0', 'Granite 3.1', 'Granite 3.2', 'Granite 3.3'],
  calls: {
    family: 'json',
    open: ['<|tool_call|>', '<tool_call>'],
    shape: 'list',
    keys: { name: 'name', arguments: 'arguments' },
  },
  reasoning: { open: '<think>', close: '</think>' },
  frames: [{ open: '<response>', close: '</response>' }],
  results: { each: '<|start_of_role|>tool_response<|end_of_role|>{output}<|end_of_text|>', between: '\n' },
  turns: {
    system: { open: '<|start_of_role|>system<|end_of_role|>', close: '<|end_of_text|>\n' },
    tools: {
      at: 'behind-system',
      open: '<|start_of_role|>available_tools<|end_of_role|>',
      close: '<|end_of_text|>\n',
      tools: 'openai',
      layout: 'list',
      indent: 4,
    },
    user: { open: '<|start_of_role|>user<|end_of_role|>', close: '<|end_of_text|>\n' },
    assistant: { open: '<|start_of_role|>assistant<|end_of_role|>', close: '<|end_of_text|>\n' },
    results: {
      open: '<|start_of_role|>tool<|end_of_role|>',
      close: '<|end_of_text|>\n',
      each: true,
      says: '{output}',
    },
    reasoning: { open: '<think>', close: '</think>', kept: 'none' },
  },
  ends: ['<|end_of_text|>'],
  tokens: ['<|start_of_role|>', '<|end_of_role|>'],
  special: ['<|start_of_cite|>', '<|end_of_cite|>', '<|start_of_plugin|>', '<|end_of_plugin|>'],
});
