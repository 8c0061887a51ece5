// sarashina: SB Intuitions' Sarashina. Calls are Python's literals.
//
//   <|tool_calls|>[{'name': 'get_weather', 'arguments': {'location': 'Beijing', 'detailed': True}}]

import { defineDialect } from '../families/declared/define-dialect.js';

export const sarashina = defineDialect({
  name: 'sarashina',
  aliases: ['sarashina2', 'sarashina2.2'],
  about: "A list of calls in Python's literals behind <|tool_calls|>.",
  models: ['Sarashina2.2'],
  calls: {
    family: 'json',
    open: '<|tool_calls|>',
    shape: 'list',
    before: '',
    keys: { name: 'name', arguments: 'arguments' },
    python: true,
  },
  ends: ['</s>'],
  tokens: ['<|system|>', '<|user|>', '<|assistant|>', '<|tool|>', '<|available_tools|>'],
  special: ['<s>', '<unk>', '<|prefix|>', '<|file|>', '<|suffix|>'],
});
