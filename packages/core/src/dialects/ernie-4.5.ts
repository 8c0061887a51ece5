// ernie-4.5: ERNIE 4.5 thinking models. As hermes, with the answer in tags of its own behind the reasoning:
//
//   …</think>
//
//   <response>
//   Let me look.
//   </response>
//
//   <tool_call>
//   {"name": "get_weather", "arguments": {"location": "Beijing"}}
//   </tool_call>
//
// Both tags around the answer are read as if they were not there; they are not written.

import { defineDialect } from '../families/declared/define-dialect.js';

export const ernie45 = defineDialect({
  name: 'ernie-4.5',
  aliases: ['ernie45', 'ernie'],
  about: 'One JSON object a call in <tool_call>, the answer in <response>.',
  models: ['ERNIE-4.5-21B-A3B-Thinking', 'ERNIE-4.5-VL-28B-A3B-Thinking'],
  // The calls alone are those of hermes.
  templateSigns: [
    ['<tool_call>', '<tool_output>'],
    ['<tool_call>', '<response>', '<|im_start|>'],
  ],
  calls: {
    family: 'json',
    open: '<tool_call>',
    close: '</tool_call>',
    shape: 'object',
    inside: ['\n', '\n'],
    keys: { name: 'name', arguments: 'arguments' },
  },
  reasoning: { open: '<think>', close: '</think>', starts: true },
  frames: [{ open: '<response>', close: '</response>' }],
  results: { each: '<tool_output>\n{output}\n</tool_output>', between: '\n' },
  ends: ['<|im_end|>', '</s>'],
  tokens: ['<|im_start|>'],
  // The others of its tokenizer, from transformers and the vendor's ERNIE and FastDeploy. Those without an end stand for
  // all that begin so.
  special: (
    '<s> <unk> <mask: <|begin_of_sentence|> <|end_of_sentence|> <|IMAGE_ <|VIDEO_ <|AUDIO_ <|ASR_ <|CROP_ <|LOC_ <|BOI|> ' +
    '<|EOI|> <|BOA|> <|EOA|> <|BOV|> <|EOV|>'
  ).split(' '),
});
