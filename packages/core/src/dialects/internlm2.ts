// internlm2: InternLM 2 and 2.5, Intern-S1.
//
//   <|action_start|><|plugin|>
//   {"name": "get_weather", "parameters": {"location": "Beijing"}}<|action_end|>

import { defineDialect } from '../families/declared/define-dialect.js';

export const internlm2 = defineDialect({
  name: 'internlm2',
  aliases: ['internlm', 'intern-s1', 'interns1', 'internlm2.5', 'internlm3'],
  about: 'One JSON object a call between <|action_start|><|plugin|> and <|action_end|>.',
  models: ['InternLM2', 'InternLM2.5', 'InternLM3', 'Intern-S1'],
  calls: {
    family: 'json',
    open: ['<|action_start|><|plugin|>', '<|action_start|> <|plugin|>'],
    close: '<|action_end|>',
    shape: 'object',
    inside: ['\n', ''],
    keys: { name: 'name', arguments: 'parameters' },
  },
  reasoning: { open: '<think>', close: '</think>', starts: true },
  ends: ['<|im_end|>'],
  tokens: ['<|im_start|>', '<|action_start|>', '<|plugin|>'],
  // The last ones are of Intern-S1.
  special: '<s> </s> <unk> <|interpreter|> <|ts|> <SMILES> </SMILES> <protein> <dna> <rna>'.split(' '),
});
