// llama4-pythonic: Llama 4.
//
//   <|python_start|>[get_weather(city="Paris", days=2), get_time()]<|python_end|>
//
// The markers are often left out: a bare list counts as in pythonic.

import { defineDialect } from '../families/declared/define-dialect.js';

export const llama4Pythonic = defineDialect({
  name: 'llama4-pythonic',
  aliases: ['llama4_pythonic'],
  about: 'A list of Python calls between <|python_start|> and <|python_end|>, or bare.',
  models: ['Llama 4 Scout', 'Llama 4 Maverick'],
  templateSigns: [['<|header_start|>', "tool_call.name + '('"]],
  calls: {
    family: 'expressions',
    style: 'python',
    several: 'brackets',
    open: '<|python_start|>',
    close: '<|python_end|>',
    bare: true,
  },
  results: { each: '<tool_response>\n{output}\n</tool_response>' },
  teach: {
    rules:
      'Write calls as one Python list of calls with named arguments and literal values. For several calls, put them in the same list.',
  },
  ends: ['<|eot|>', '<|eom|>', '<|end_of_text|>'],
  tokens: ['<|header_start|>', '<|header_end|>', '<|begin_of_text|>'],
  special: [
    '<|image|>',
    '<|image_start|>',
    '<|image_end|>',
    '<|patch|>',
    '<|finetune_right_pad|>',
    '<|step|>',
    '<|python_tag|>',
  ],
});
