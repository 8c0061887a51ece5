// functiongemma: FunctionGemma.
//
//   <start_function_call>call:get_weather{city:<escape>Paris<escape>,days:2}<end_function_call>
//
// Strings stand between <escape> as they are. The model's own template puts every value there, numbers too: where
// the schema wants a number or a boolean, text that reads as one becomes it, and that is listed. There is no
// whole prompt: no template of the vendor's was at hand to hold it to.

import { defineDialect } from '../families/declared/define-dialect.js';

export const functionGemma = defineDialect({
  name: 'functiongemma',
  aliases: ['function-gemma'],
  about: 'Calls with bare keys and <escape> for quotes: call:f{x:<escape>a<escape>}.',
  models: ['FunctionGemma 270M'],
  calls: {
    family: 'expressions',
    style: 'braces',
    several: 'each',
    open: '<start_function_call>',
    close: '<end_function_call>',
    prefix: 'call:',
    quote: '<escape>',
  },
  results: {
    before: '<start_function_response>',
    each: 'response:{name}{value:<escape>{output}<escape>}',
    between: '<end_function_response><start_function_response>',
    behind: '<end_function_response>',
  },
  teach: {
    rules:
      'Keys stand without quotes, strings between <escape> without escapes. For several calls, write several.',
  },
  ends: ['<end_of_turn>', '<eos>'],
  tokens: ['<start_of_turn>', '<bos>', '<start_function_declaration>', '<end_function_declaration>'],
  special: ['<pad>', '<unk>', '<mask>', '<start_of_image>', '<end_of_image>'],
  coercesStrings: true,
});
