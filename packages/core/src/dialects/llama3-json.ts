// llama3-json: Llama 3.1 to 3.3, and Llama 4 where it is asked for JSON.
//
//   <|python_tag|>{"name": "get_weather", "parameters": {"location": "Beijing"}}
//   <|python_tag|>{"name": "get_weather", "parameters": {…}}; {"name": "get_time", "parameters": {}}
//   <|python_tag|>get_weather.call(location="Beijing")          built-in tools, and others by their habit; read only
//
// Models mostly leave the tag out: JSON at the start of an answer is a call if a declared tool is named and arguments
// are given. Whoever writes the tag for something else (code for the interpreter) is read as text. The vendor's
// own template knows one call a turn; several are parted by semicolons, as serving engines read them. There is no whole
// prompt: the template writes calls without the tag, which behind text would be read as text.

import { defineDialect } from '../families/declared/define-dialect.js';

export const llama3Json = defineDialect({
  name: 'llama3-json',
  aliases: ['llama3_json', 'llama4_json', 'llama3', 'llama-3.1'],
  about: 'JSON behind <|python_tag|>, or at the start of the answer; several parted by semicolons.',
  models: ['Llama 3.1', 'Llama 3.2', 'Llama 3.3', 'Llama 4'],
  templateSigns: [
    ['<|python_tag|>'],
    ['{"name": function name, "parameters": dictionary of argument name and its value}'],
  ],
  calls: {
    family: 'json',
    open: '<|python_tag|>',
    shape: 'objects',
    between: '; ',
    keys: { name: 'name', arguments: ['parameters', 'arguments'] },
    bare: 'answer',
    expression: '.call',
  },
  results: { each: '{"output": {output:json}}', between: '\n' },
  ends: ['<|eot_id|>', '<|eom_id|>', '<|end_of_text|>', '<|eot|>', '<|eom|>'],
  tokens: [
    '<|start_header_id|>',
    '<|end_header_id|>',
    '<|header_start|>',
    '<|header_end|>',
    '<|begin_of_text|>',
  ],
  special: [
    '<|image|>',
    '<|finetune_right_pad_id|>',
    '<|step_id|>',
    '<|reserved_special_token_',
    '<|python_start|>',
    '<|python_end|>',
    '<|image_start|>',
    '<|image_end|>',
    '<|patch|>',
  ],
});
