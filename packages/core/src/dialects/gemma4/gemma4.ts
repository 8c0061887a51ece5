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
// The whole prompt is that of the vendor's template of July 2026. It writes a text that stands before calls behind their
// results; here it stays where it was. The smallest models get no empty thought; the template of the first release, which
// llama.cpp keeps, is a variant that no model's name chooses.

import { defineDialect } from '../../families/declared/define-dialect.js';
import { gemma4Layout, gemma4Prompt } from './prompt.js';

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
    // The third is the end of calls: the results stand behind it.
    ends: ['<turn|>', '<eos>', '<|tool_response>'],
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
  {
    prompt: gemma4Prompt(gemma4Layout),
    variants: [
      {
        name: 'gemma-4-e2b',
        models: ['Gemma-4-E2B', 'Gemma-4-E4B'],
        prompt: gemma4Prompt({ ...gemma4Layout, emptyThought: false }),
      },
      {
        name: 'gemma-4-first',
        models: [],
        prompt: gemma4Prompt({ ...gemma4Layout, nothing: 'None', first: true }),
      },
    ],
  },
);
