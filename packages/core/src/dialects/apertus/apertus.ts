// apertus: Swiss AI's Apertus 2509. The name of the tool is the key of its arguments.
//
//   <|tools_prefix|>[{"get_weather": {"location": "Beijing"}}, {"get_time": {}}]<|tools_suffix|>
//
// In the whole prompt results have no token, and reasoning is not said again: the vendor's template takes it in blocks
// that no API knows. It has a clock; here `current_date` among the template's options says the date, or none is said.

import type { JsonCalls } from '../../engine/declaration.js';
import { defineDialect } from '../../families/declared/define-dialect.js';
import { jsonFamily } from '../../families/json/json-family.js';
import { apertusPrompt } from './prompt.js';

const calls: JsonCalls = {
  family: 'json',
  open: '<|tools_prefix|>',
  close: '<|tools_suffix|>',
  shape: 'list',
  before: '',
  keys: 'name-is-key',
};

export const apertus = defineDialect(
  {
    name: 'apertus',
    aliases: ['apertus2509', 'apertus-2509'],
    about: 'A JSON list between <|tools_prefix|> and <|tools_suffix|>, the name as the key.',
    models: ['Apertus-8B-2509', 'Apertus-70B-2509'],
    calls,
    reasoning: { open: '<|inner_prefix|>', close: '<|inner_suffix|>', kept: 'none' },
    results: { before: '<|tool_output|>[', each: '{output:json}', between: ', ', behind: ']' },
    ends: ['<|assistant_end|>'],
    tokens: [
      '<|system_start|>',
      '<|system_end|>',
      '<|developer_start|>',
      '<|developer_end|>',
      '<|user_start|>',
      '<|user_end|>',
      '<|assistant_start|>',
    ],
    special: ['<s>', '</s>', '<unk>', '<pad>'],
  },
  {
    prompt: apertusPrompt(jsonFamily.writeCalls(calls)),
    // With calls the model stops at their closer: it is among the end tokens of its generation config.
    lastEnd: ['<|assistant_end|>'],
  },
);
