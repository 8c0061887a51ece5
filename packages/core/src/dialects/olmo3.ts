// olmo3: OLMo 3.
//
//   <function_calls>
//   get_weather(city="Paris", days=2)
//   get_time()
//   </function_calls>
//
// One call a line. JSON's words (true, null) are common in its values; they are read, and listed.

import { defineDialect } from '../families/declared/define-dialect.js';

export const olmo3 = defineDialect({
  name: 'olmo3',
  aliases: ['olmo-3', 'olmo3-think'],
  about: 'Python calls, one a line, in <function_calls>.',
  models: ['OLMo 3 Instruct', 'OLMo 3 Think', 'OLMo 3.1'],
  calls: {
    family: 'expressions',
    style: 'python',
    several: 'lines',
    open: '<function_calls>',
    close: '</function_calls>',
  },
  reasoning: { open: '<think>', close: '</think>', starts: true },
  teach: {
    rules:
      'Write calls as Python calls with named arguments and literal values. For several calls, write one a line.',
  },
  ends: ['<|im_end|>', '<|endoftext|>'],
  tokens: ['<|im_start|>'],
  // The others of its tokenizer: of the vendor's script that makes it, and of the instruct models. Those without an end
  // stand for all that begin so.
  special: (
    '<|pad|> <|endofprompt|> <|fim_ <|extra_id_ |||PHONE_NUMBER||| |||EMAIL_ADDRESS||| |||IP_ADDRESS||| <functions> ' +
    '</functions>'
  ).split(' '),
});
