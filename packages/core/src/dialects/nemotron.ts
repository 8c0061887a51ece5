// nemotron: NVIDIA's Llama-Nemotron Super and Ultra, Nemotron Nano v2. (Nemotron 3 writes qwen3-coder.)
//
//   <TOOLCALL>[{"name": "get_weather", "arguments": {"location": "Beijing"}}]</TOOLCALL>

import type { Dialect } from '../codec/dialect.js';
import { defineDialect } from './define-dialect.js';

export const nemotron: Dialect = defineDialect({
  name: 'nemotron',
  aliases: ['nemotron_deci', 'nemotron_json', 'nemotron-nano-v2', 'llama_nemotron_json'],
  about: 'A JSON list of calls in <TOOLCALL>.',
  models: ['Llama-3.3-Nemotron-Super-49B', 'Llama-3.1-Nemotron-Ultra-253B', 'Nemotron-Nano-9B-v2'],
  calls: {
    family: 'json',
    open: '<TOOLCALL>',
    close: '</TOOLCALL>',
    shape: 'list',
    keys: { name: 'name', arguments: 'arguments' },
  },
  reasoning: { open: '<think>', close: '</think>', starts: true },
  results: {
    before: '<TOOL_RESPONSE>[',
    each: '{output:json}',
    between: ', ',
    behind: ']</TOOL_RESPONSE>',
  },
  ends: ['<|eot_id|>', '<SPECIAL_12>'],
  tokens: ['<|start_header_id|>', '<|end_header_id|>', '<SPECIAL_10>', '<SPECIAL_11>'],
});
