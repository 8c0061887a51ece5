// granite-20b: IBM's Granite 20B for function calling.
//
//   <function_call> {"name": "get_weather", "arguments": {"location": "Beijing"}}
//   <function_call> {"name": "get_time", "arguments": {}}

import { defineDialect } from '../families/declared/define-dialect.js';

export const granite20b = defineDialect({
  name: 'granite-20b',
  aliases: ['granite-20b-fc', 'granite_20b_fc', 'granite-20b-functioncalling'],
  about: 'One JSON object a call behind <function_call>.',
  models: ['granite-20b-functioncalling'],
  calls: {
    family: 'json',
    open: '<function_call>',
    shape: 'object',
    inside: [' ', ''],
    between: ' ',
    keys: { name: 'name', arguments: 'arguments' },
  },
  results: { each: '<function_response> {output}', between: '\n' },
  ends: ['<|endoftext|>'],
  tokens: ['<|function_call_library|>'],
});
