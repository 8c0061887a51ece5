// hunyuan-a13b: Tencent's Hunyuan-A13B.
//
//   <think>…</think>
//   <answer>Let me look.
//   <tool_calls>[{"name": "get_weather", "arguments": {"location": "Beijing"}}]</tool_calls>
//
// The answer may stand in <answer> tags, which are read as if they were not there.

import { defineDialect } from '../families/declared/define-dialect.js';

export const hunyuanA13b = defineDialect({
  name: 'hunyuan-a13b',
  aliases: ['hunyuan_a13b'],
  about: 'A JSON list of calls in <tool_calls>, the answer in <answer>.',
  models: ['Hunyuan-A13B-Instruct'],
  templateSigns: [['<tool_calls>[{"name": "func_name1"']],
  calls: {
    family: 'json',
    open: '<tool_calls>',
    close: '</tool_calls>',
    shape: 'list',
    keys: { name: 'name', arguments: 'arguments' },
  },
  reasoning: { open: '<think>', close: '</think>' },
  frames: [{ open: '<answer>', close: '</answer>' }],
  results: { each: '<tool_response>{output}</tool_response>', between: '' },
  ends: ['<|eos|>'],
  tokens: ['<|startoftext|>', '<|extra_0|>', '<|extra_4|>'],
  special: ['<|pad|>', '<|endoftext|>'],
});
