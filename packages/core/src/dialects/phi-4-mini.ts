// phi-4-mini: Microsoft's Phi-4-mini; Fireworks' FireFunction v2 writes the same.
//
//   functools[{"name": "get_weather", "arguments": {"location": "Beijing"}}]

import { defineDialect } from '../families/declared/define-dialect.js';

export const phi4Mini = defineDialect({
  name: 'phi-4-mini',
  aliases: ['phi4_mini_json', 'phi4mini', 'phi4', 'firefunction', 'firefunction-v2'],
  about: 'A JSON list of calls behind the word functools.',
  models: ['Phi-4-mini-instruct', 'Phi-4-multimodal', 'FireFunction v2'],
  calls: {
    family: 'json',
    open: ['functools[', 'functools ['],
    shape: 'list',
    keys: { name: 'name', arguments: 'arguments' },
  },
  results: { each: '<|tool_response|>{output}', between: '\n' },
  ends: ['<|end|>', '<|endoftext|>'],
  tokens: ['<|system|>', '<|user|>', '<|assistant|>', '<|tool|>', '<|/tool|>'],
  special: [
    '<|tool_call|>',
    '<|/tool_call|>',
    '<|tool_response|>',
    // Those of FireFunction.
    '<|begin_of_text|>',
    '<|start_header_id|>',
    '<|end_header_id|>',
    '<|eot_id|>',
  ],
});
