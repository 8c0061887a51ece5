// lfm2: Liquid's LFM2 and LFM2.5.
//
//   <|tool_call_start|>[get_weather(city="Paris", days=2)]<|tool_call_end|>
//
// The models also write a call without the brackets, one dict as all arguments, [f({"city": "Paris"})], and, if the
// system prompt asks for it, a JSON array. All are read; what is no list of calls with names is a repair. A list without
// the markers counts at the beginning of the answer or of a line, since servers leave special tokens out. Quotes that
// should have been escaped (shell commands) are told from real ones by what follows them. Text behind the calls is
// part of the answer: the models explain there what they do. The template of LFM2 gives answers back as they were
// written and does not know calls. That of LFM2.5 writes strings in single quotes, and without escapes; here those that
// need some have them. Its definitions and results have no markers.

import type { DialectDeclaration, ExpressionCalls, TurnsDeclaration } from '../engine/declaration.js';
import { defineDialect } from '../families/declared/define-dialect.js';

const calls: ExpressionCalls = {
  family: 'expressions',
  style: 'python',
  several: 'brackets',
  bare: true,
  open: '<|tool_call_start|>',
  close: '<|tool_call_end|>',
};

const turns: TurnsDeclaration = {
  begin: '<|startoftext|>',
  system: { open: '<|im_start|>system\n', close: '<|im_end|>\n' },
  user: { open: '<|im_start|>user\n', close: '<|im_end|>\n' },
  assistant: { open: '<|im_start|>assistant\n', close: '<|im_end|>\n' },
  results: { open: '<|im_start|>tool\n', close: '<|im_end|>\n', each: true },
  beforeTools: '\n',
};

const declaration: DialectDeclaration = {
  name: 'lfm2',
  aliases: ['lfm2.5', 'lfm2-thinking'],
  about: 'A list of Python calls between <|tool_call_start|> and <|tool_call_end|>, in ChatML turns.',
  models: ['LFM2', 'LFM2.5'],
  templateSigns: [['<|tool_call_start|>'], ['<|tool_list_start|>'], ['List of tools: [', '<|im_start|>']],
  calls,
  reasoning: { open: '<think>', close: '</think>' },
  results: { each: '<|tool_response_start|>{output}<|tool_response_end|>', between: '', role: 'tool' },
  teach: {
    text: 'List of tools: <|tool_list_start|>{tools}<|tool_list_end|>',
    tools: 'openai',
    layout: 'list',
    rules:
      'Write calls as one Python list of calls with named arguments and literal values. For several calls, put them in the same list.',
  },
  turns,
  ends: ['<|im_end|>', '<|endoftext|>'],
  tokens: ['<|im_start|>', '<|startoftext|>', '<|tool_list_start|>', '<|tool_list_end|>'],
  // Those that end in an underscore are followed by a number, or by a place in an image.
  special: (
    '<image> <|pad|> <|fim_pre|> <|fim_mid|> <|fim_suf|> <|cot_start|> <|cot_end|> <|review_start|> <|review_end|> ' +
    '<|file_start|> <|file_end|> <|image_start|> <|image_end|> <|image_split|> <|img_ <|reserved_'
  ).split(' '),
  textAfterCalls: 'text',
};

export const lfm2 = defineDialect(declaration, {
  variants: [
    {
      name: 'lfm2.5',
      models: ['LFM2.5'],
      calls: { ...calls, before: '', values: 'repr' },
      results: { each: '{output}', role: 'tool' },
      teach: { ...declaration.teach, text: 'List of tools: {tools}' },
      turns: { ...turns, reasoning: { open: '<think>', close: '</think>', kept: 'last' } },
    },
  ],
});
