// hunyuan-3: Hunyuan 3 (Hy3).
//
//   <tool_calls>
//   <tool_call>get_weather<tool_sep>
//   <arg_key>city</arg_key>
//   <arg_value>Beijing</arg_value>
//   </tool_call>
//   </tool_calls>
//
// As glm-4.5 with a separator behind the name and a block around all calls. The tokenizer of the open weights
// spells every tag with a suffix, `<tool_calls:opensource>`, `<think:opensource>`: that is read, too. Its template
// writes the suffix everywhere, so there is no whole prompt here that would fit both.

import { defineDialect } from '../families/declared/define-dialect.js';

export const hunyuan3 = defineDialect({
  name: 'hunyuan-3',
  aliases: ['hy_v3', 'hunyuan', 'hy3'],
  about: 'Name, <tool_sep>, then <arg_key> and <arg_value> pairs, in <tool_calls>.',
  models: ['Hunyuan 3', 'Hy3'],
  templateSigns: [['<tool_sep', '<arg_key']],
  calls: {
    family: 'tags',
    block: {
      open: ['<tool_calls>', '<tool_calls:opensource>'],
      close: ['</tool_calls>', '</tool_calls:opensource>'],
    },
    call: {
      open: ['<tool_call>{name}<tool_sep>', '<tool_call:opensource>{name}<tool_sep:opensource>'],
      close: ['</tool_call>', '</tool_call:opensource>'],
    },
    argument: {
      key: {
        open: ['<arg_key>', '<arg_key:opensource>'],
        close: ['</arg_key>', '</arg_key:opensource>'],
      },
      value: {
        open: ['<arg_value>', '<arg_value:opensource>'],
        close: ['</arg_value>', '</arg_value:opensource>'],
      },
    },
    layout: { before: '', block: '\n', call: '\n', key: '\n', argument: '\n', behind: '\n' },
  },
  reasoning: { open: '<think>', close: '</think>', starts: true },
  frames: [{ open: '<think:opensource>', close: '</think:opensource>', voice: 'reasoning' }],
  results: {
    before: '<tool_responses>\n',
    each: '<tool_response>\n{output}\n</tool_response>',
    between: '\n',
    behind: '\n</tool_responses>',
  },
  teach: { tools: 'openai' },
  ends: ['<｜hy_eos｜>', '<｜hy_eos:opensource｜>'],
  tokens: [
    '<｜hy_User｜>',
    '<｜hy_User:opensource｜>',
    '<｜hy_Assistant｜>',
    '<｜hy_Assistant:opensource｜>',
  ],
  special: [
    '<｜hy_begin_of_sentence｜>',
    '<｜hy_begin_of_sentence:opensource｜>',
    '<｜hy_pad｜>',
    '<｜hy_pad:opensource｜>',
    '<｜reasoning_mode｜>',
    '<｜reasoning_mode:opensource｜>',
  ],
});
