// kimi-k2: Moonshot's Kimi K2, K2-Thinking and K2.5.
//
//   <|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>
//   {"location": "Beijing"}<|tool_call_end|><|tool_calls_section_end|>          (without the line break)
//
// The name carries a prefix and the place of the call. Read as well: a name without them, `functions_get_weather_0`,
// the section in the singular, and a number alone, where the arguments fit one tool only (K2.5). The whole prompt is
// that of the first K2; its template prints the caller's id before a result, which is the name and the place here, as
// the vendor asks. The later templates count the calls of the whole conversation (K2-Instruct), and give every answer a
// thought, if only an empty one (K2-Thinking). Their system text, which names Kimi, is written with the option
// `defaultSystem`.
//
// Elsewhere: vLLM gives `functions.get_weather:0` as the id of the call. A model that counts anew in each turn says the
// same twice, so ids are made here as for dialects without them. Where a client has such an id, the later prompts write
// its number; otherwise the number is the place of the call, or what the model wrote in its own words.

import type { DialectDeclaration, TurnsDeclaration } from '../../engine/declaration.js';
import { defineDialect } from '../../families/declared/define-dialect.js';

const turns: TurnsDeclaration = {
  tools: {
    at: 'before-system',
    open: '<|im_system|>tool_declare<|im_middle|>',
    close: '<|im_end|>',
    tools: 'openai',
    layout: 'list',
  },
  defaultSystem: 'You are a helpful assistant',
  system: { open: '<|im_system|>system<|im_middle|>', close: '<|im_end|>' },
  user: { open: '<|im_user|>user<|im_middle|>', close: '<|im_end|>' },
  assistant: { open: '<|im_assistant|>assistant<|im_middle|>', close: '<|im_end|>' },
  results: { open: '<|im_system|>tool<|im_middle|>', close: '<|im_end|>', each: true },
  reasoning: { open: '<think>', close: '</think>', kept: 'last' },
  generation: {},
};

const declaration: DialectDeclaration = {
  name: 'kimi-k2',
  aliases: ['kimi_k2', 'kimi-k2.5', 'kimi_k25', 'kimi'],
  about: 'A name with its place and JSON between special tokens.',
  models: ['Kimi-K2-Instruct', 'Kimi-K2-Thinking', 'Kimi-K2.5', 'Kimi-K2.6', 'Kimi-K2.7'],
  calls: {
    family: 'named',
    section: {
      open: ['<|tool_calls_section_begin|>', '<|tool_call_section_begin|>'],
      close: ['<|tool_calls_section_end|>', '<|tool_call_section_end|>'],
    },
    open: '<|tool_call_begin|>',
    prefix: ['functions.', 'functions_'],
    id: { index: [':', '_'] },
    separator: '<|tool_call_argument_begin|>',
    close: '<|tool_call_end|>',
    before: '',
  },
  reasoning: { open: '<think>', close: '</think>', starts: true },
  results: { each: '## Return of functions.{name}:{index}\n{output}', between: '\n' },
  turns,
  ends: ['<|im_end|>', '[EOS]'],
  tokens: ['<|im_system|>', '<|im_user|>', '<|im_assistant|>', '<|im_middle|>'],
  special: [
    '[BOS]',
    '[EOT]',
    '[PAD]',
    '[UNK]',
    '<|start_header_id|>',
    '<|end_header_id|>',
    '<|media_begin|>',
    '<|media_start|>',
    '<|media_content|>',
    '<|media_pad|>',
    '<|media_end|>',
  ],
};

const KIMI = 'You are Kimi, an AI assistant created by Moonshot AI.';

export const kimiK2 = defineDialect(declaration, {
  variants: [
    {
      name: 'kimi-k2-instruct',
      models: ['Kimi-K2-Instruct'],
      turns: {
        ...turns,
        defaultSystem: { text: KIMI, close: '<|im_end|>\n', asked: true },
        reasoning: { open: '<think>', close: '</think>', kept: 'none' },
        counted: 'conversation',
      },
    },
    {
      name: 'kimi-k2-thinking',
      models: ['Kimi-K2-Thinking'],
      turns: {
        ...turns,
        defaultSystem: { text: KIMI, asked: true },
        reasoning: { open: '<think>', close: '</think>', kept: 'since-answer', absent: '<think></think>' },
        counted: 'conversation',
      },
    },
  ],
});
