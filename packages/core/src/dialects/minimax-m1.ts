// minimax-m1: MiniMax M1.
//
//   <tool_calls>
//   {"name": "get_weather", "arguments": {"location": "Beijing"}}
//   {"name": "get_time", "arguments": {}}
//   </tool_calls>

import type { Dialect } from '../codec/dialect.js';
import { defineDialect } from './define-dialect.js';

export const minimaxM1: Dialect = defineDialect({
  name: 'minimax-m1',
  aliases: ['minimax_m1'],
  about: 'One JSON object a line in <tool_calls>.',
  models: ['MiniMax-M1-40k', 'MiniMax-M1-80k'],
  calls: {
    family: 'json',
    open: '<tool_calls>',
    close: '</tool_calls>',
    shape: 'objects',
    inside: ['\n', '\n'],
    keys: { name: 'name', arguments: 'arguments' },
  },
  reasoning: { open: '<think>', close: '</think>' },
  results: { each: '<tool_response>\n{output}\n</tool_response>', between: '\n' },
  ends: ['<end_of_sentence>'],
  tokens: ['<beginning_of_sentence>'],
});
