// xlam: Salesforce's xLAM 2.
//
//   [{"name": "get_weather", "arguments": {"location": "Beijing"}}]
//
// A list of calls and nothing around it, at the start of the answer or of a line. Serving engines also read it in a
// fence, in <tool_call> and behind [TOOL_CALLS]: so does this. Without a marker only calls of declared tools count.

import { defineDialect } from '../families/declared/define-dialect.js';

export const xlam = defineDialect({
  name: 'xlam',
  aliases: ['xlam2', 'xlam-2'],
  about: 'A JSON list of calls with nothing around it.',
  models: ['xLAM-2', 'Llama-xLAM-2', 'xLAM-1b', 'xLAM-3b', 'xLAM-7b', 'Qwen-xLAM'],
  templateSigns: [['{"name": "tool_call_name", "arguments": {"arg1"']],
  calls: {
    family: 'json',
    open: ['', '```json', '<tool_call>', '[TOOL_CALLS]'],
    close: ['```', '</tool_call>'],
    shape: 'list',
    keys: { name: 'name', arguments: 'arguments' },
    bare: 'line',
  },
  reasoning: { open: '<think>', close: '</think>', calls: 'never' },
  results: { each: '{"name": {name:json}, "result": {output:json}}', between: '\n' },
  ends: ['<|im_end|>', '<|eot_id|>'],
  tokens: ['<|im_start|>', '<|start_header_id|>', '<|end_header_id|>'],
  special: ['<|begin_of_text|>', '<|end_of_text|>', '<|endoftext|>', '<|eom_id|>'],
});
