// solar-open: Upstage's Solar Open 100B.
//
//   <|think|>I should look.<|end|><|begin|>assistant<|content|>Let me see.<|end|><|begin|>assistant<|tool_calls|>
//   <|tool_call:begin|>k3f9x0a1b2<|tool_call:name|>get_weather<|tool_call:args|>{"city": "Rome"}<|tool_call:end|><|calls|>
//
// (without the line break). Parts of an answer are messages of their own; text without <|content|> is text all the same.
// Each call has an id of ten letters and digits before its name, and results come back with it. A call without the section
// around it is read, too: reasoning parsers hand it over so.
//
// Elsewhere: vLLM replaces an id that is not ten letters and digits; here every printable one stays as it is.

import type { NamedCalls } from '../../engine/declaration.js';
import { defineDialect } from '../../families/declared/define-dialect.js';
import { namedFamily } from '../../families/named/named-family.js';
import { solarEffort, solarPrompt, solarResults } from './prompt.js';

const calls: NamedCalls = {
  family: 'named',
  section: { open: ['<|tool_calls|>', '<|begin|>assistant<|tool_calls|>'] },
  open: '<|tool_call:begin|>',
  id: { before: '<|tool_call:name|>' },
  separator: '<|tool_call:args|>',
  close: '<|tool_call:end|>',
  before: '<|begin|>assistant',
};

export const solarOpen = defineDialect(
  {
    name: 'solar-open',
    aliases: ['solar_open'],
    about: 'An id, a name and JSON between special tokens.',
    models: ['Solar-Open-100B'],
    templateSigns: [['<|tool_call:begin|>']],
    calls,
    reasoning: { open: '<|think|>', close: '<|end|><|begin|>assistant' },
    frames: [
      { open: '<|think|>', close: '<|end|><|begin|>assistant', voice: 'reasoning' },
      { open: '<|content|>', close: '<|end|>' },
      { open: '<|begin|>assistant<|content|>', close: '<|end|>' },
    ],
    results: {
      before: '<|tool_response|>',
      each: solarResults,
    },
    teach: { rules: 'Give each call an id of its own: ten lowercase letters and digits.' },
    ends: ['<|calls|>', '<|flush|>'],
    tokens: ['<|begin|>assistant', '<|begin|>'],
    special: [
      '<|tools:begin|>',
      '<|tools:end|>',
      '<|tool:begin|>',
      '<|tool:end|>',
      '<|tool_response:id|>',
      '<|tool_response:name|>',
      '<|tool_response:result|>',
      ...['<|startoftext|>', '<|endoftext|>', '<|pad|>', '<|unk|>'],
    ],
  },
  {
    prompt: solarPrompt(namedFamily.writeCalls(calls)),
    effort: solarEffort,
    // The template ends each message with <|end|>, also the last one, where the model writes this.
    lastEnd: ['<|flush|>'],
  },
);
