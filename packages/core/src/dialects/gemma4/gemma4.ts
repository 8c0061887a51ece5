// gemma4: Gemma 4.
//
//   <|channel>thought
//   …<channel|><|tool_call>call:get_weather{city:<|"|>Paris<|"|>,days:2,opts:{metric:true}}<tool_call|>
//
// Strings stand between <|"|> as they are, without escapes; a marker inside one is broken with a backslash, as
// everywhere in text. Keys are bare; one that is no name stands in <|"|>. A value without quotes that is no number
// or word is taken as text. The channel may open again behind text. Engines deliver a call
// whose string or braces were cut off; here it is incomplete.
//
// The vendor's template writes a text that stands before calls behind their results; the whole prompt here leaves it
// where it was. It passes over parameters that are called `type` or `description`; here they are declared.

import { defineDialect } from '../../families/declared/define-dialect.js';
import { writeGemma4Prompt } from './prompt.js';

export const gemma4 = defineDialect(
  {
    name: 'gemma4',
    aliases: ['gemma-4', 'gemma4-no-thinking'],
    about: 'Calls with bare keys and <|"|> for quotes: <|tool_call>call:f{x:<|"|>a<|"|>}<tool_call|>.',
    models: ['Gemma 4'],
    calls: {
      family: 'expressions',
      style: 'braces',
      several: 'each',
      open: '<|tool_call>',
      close: '<tool_call|>',
      prefix: 'call:',
      quote: '<|"|>',
    },
    reasoning: { open: '<|channel>thought', close: '<channel|>', starts: true },
    frames: [
      { open: '<|channel>thought', close: '<channel|>', voice: 'reasoning' },
      { open: '<|channel>', close: '<channel|>', voice: 'reasoning' },
    ],
    results: {
      before: '<|tool_response>',
      each: 'response:{name}{value:<|"|>{output}<|"|>}',
      between: '<tool_response|><|tool_response>',
      behind: '<tool_response|>',
    },
    teach: {
      rules:
        'Keys stand without quotes, strings between <|"|> without escapes. For several calls, write several.',
    },
    ends: ['<turn|>', '<eos>'],
    tokens: ['<|turn>', '<bos>', '<|think|>', '<|tool>', '<tool|>'],
    special: [
      '<pad>',
      '<unk>',
      '<mask>',
      '<|image>',
      '<image|>',
      '<|image|>',
      '<|audio>',
      '<audio|>',
      '<|audio|>',
      '<|video|>',
    ],
  },
  { prompt: writeGemma4Prompt },
);
