// jamba: AI21's Jamba 1.5 to 1.7.
//
//   <tool_calls>[
//   {"name": "get_weather", "arguments": {"location": "Beijing"}}
//   ]</tool_calls>
//
// Written on one line here; the layout makes no difference.

import { defineDialect } from '../families/declared/define-dialect.js';

export const jamba = defineDialect({
  name: 'jamba',
  aliases: ['jamba_1.5', 'jamba-1.6', 'jamba-1.7'],
  about: 'A JSON list of calls in <tool_calls>.',
  models: ['Jamba 1.5', 'Jamba 1.6', 'Jamba 1.7'],
  templateSigns: [['<|bom|>', '<tool_calls>']],
  calls: {
    family: 'json',
    open: '<tool_calls>',
    close: '</tool_calls>',
    shape: 'list',
    keys: { name: 'name', arguments: 'arguments' },
  },
  results: { each: '<tool_response>\n{output}\n</tool_response>', between: '\n' },
  ends: ['<|eom|>', '<|endoftext|>'],
  tokens: ['<|bom|>', '<|system|>', '<|user|>', '<|assistant|>', '<|tool|>'],
  // The others of its tokenizer's configuration.
  special: (
    '<|startoftext|> <|pad|> <|unk|> <documents> </documents> <tool_definitions> </tool_definitions> <citations> ' +
    '</citations>'
  ).split(' '),
});
