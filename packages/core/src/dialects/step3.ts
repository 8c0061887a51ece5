// step3: Step-3.
//
//   <｜tool_calls_begin｜>
//   <｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather">
//   <steptml:parameter name="location">Beijing</steptml:parameter>
//   </steptml:invoke><｜tool_call_end｜>
//   <｜tool_calls_end｜>
//
// The tokens around each call say nothing that its element does not say: they are read as frames, present or not.

import { defineDialect } from '../families/declared/define-dialect.js';

export const step3 = defineDialect({
  name: 'step3',
  about: 'One <steptml:invoke> a call in tokens of its own, in <｜tool_calls_begin｜>.',
  models: ['Step-3'],
  calls: {
    family: 'tags',
    block: { open: '<｜tool_calls_begin｜>', close: '<｜tool_calls_end｜>' },
    call: {
      before: '<｜tool_call_begin｜>function<｜tool_sep｜>',
      open: '<steptml:invoke name="{name}">',
      close: '</steptml:invoke>',
      behind: '<｜tool_call_end｜>',
    },
    argument: { open: '<steptml:parameter name="{key}">', close: '</steptml:parameter>' },
    layout: { block: '\n', call: '\n', argument: '\n', behind: '\n' },
    bareCalls: 'if-declared',
  },
  reasoning: { open: '<think>', close: '</think>', starts: true },
  // Its tokenizer is that of DeepSeek with tokens for turns, and for images as vLLM and SGLang write them.
  special:
    '<｜ <|BOT|> <|EOT|> <im_patch> <im_start> <im_end> <patch_start> <patch_end> <patch_newline>'.split(' '),
});
