// longcat: LongCat-Flash. As hermes, with a tag of its own.
//
//   <longcat_tool_call>
//   {"name": "get_weather", "arguments": {"location": "Beijing"}}
//   </longcat_tool_call>

import { defineDialect } from '../families/declared/define-dialect.js';

export const longcat = defineDialect({
  name: 'longcat',
  aliases: ['longcat_flash'],
  about: 'One JSON object a call in <longcat_tool_call>.',
  models: ['LongCat-Flash-Chat', 'LongCat-Flash-Thinking'],
  calls: {
    family: 'json',
    open: '<longcat_tool_call>',
    close: '</longcat_tool_call>',
    shape: 'object',
    inside: ['\n', '\n'],
    keys: { name: 'name', arguments: 'arguments' },
  },
  reasoning: { open: '<longcat_think>', close: '</longcat_think>', starts: true },
  ends: ['</longcat_s>'],
  // All tokens of its tokenizers and templates begin so: roles, tools, files, images, sound.
  special: ['<longcat_', '</longcat_', '<|longcat_'],
});
