// gigachat3: Sber's GigaChat 3 and 3.1.
//
//   <|message_sep|>
//
//   function call<|role_sep|>
//   {"name": "get_weather", "arguments": {"location": "Beijing"}}          3
//   <|function_call|>{"name": "get_weather", "arguments": {…}}              3.1
//
// The first is written, both are read; so is the first without <|message_sep|>, where an answer is nothing but a
// call. There is no whole prompt: the vendor's template carries long instructions of its own.

import { defineDialect } from '../families/declared/define-dialect.js';

export const gigachat3 = defineDialect({
  name: 'gigachat3',
  aliases: ['gigachat', 'gigachat-3', 'gigachat-3.1'],
  about: 'One JSON object behind `function call<|role_sep|>` or <|function_call|>.',
  models: ['GigaChat3-10B-A1.8B', 'GigaChat3-702B-A36B', 'GigaChat 3.1'],
  calls: {
    family: 'json',
    open: [
      '<|message_sep|>\n\nfunction call<|role_sep|>\n',
      'function call<|role_sep|>',
      '<|function_call|>',
    ],
    shape: 'object',
    between: '',
    before: '',
    keys: { name: 'name', arguments: 'arguments' },
  },
  ends: ['</s>'],
  tokens: ['<|message_sep|>', '<|role_sep|>'],
  special: ['<s>', '<unk>'],
});
