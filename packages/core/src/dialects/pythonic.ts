// pythonic: Llama 3.2 and 4, ToolACE, and Gemma 3 as it is prompted to.
//
//   [get_weather(city="Paris", days=2), get_time()]
//
// No marker but the list itself: it counts where it begins the answer or a line, if its names are declared or it is
// well-formed as a whole (families/expression-block.ts says how it is told from prose). A key that is no Python name
// is written **{"odd key": 1}. Arguments stream. A value without a name takes the next name of the schema, where
// serving engines drop it; a list behind prose on the same line stays text, where some read it as a call. The tokens
// of Llama 4 around a list, which some read under this name, are llama4-pythonic's. `f( )` is a call without arguments;
// the patterns of engines want nothing at all between the brackets, and take the list for text.

import { defineDialect } from '../families/declared/define-dialect.js';

export const pythonic = defineDialect({
  name: 'pythonic',
  aliases: ['llama3.2_pythonic', 'toolace'],
  about: 'A list of Python calls and nothing else: [f(x="a"), g()].',
  models: ['Llama 3.2 1B', 'Llama 3.2 3B', 'ToolACE-8B', 'Gemma 3'],
  templateSigns: [["tool_call.name + '('"]],
  calls: { family: 'expressions', style: 'python', several: 'brackets' },
  reasoning: { open: '<think>', close: '</think>', calls: 'never' },
  results: { each: '<tool_response>\n{output}\n</tool_response>' },
  teach: {
    rules:
      'Write calls as one Python list of calls with named arguments and literal values, and nothing else. ' +
      'For several calls, put them in the same list.',
  },
  ends: ['<|eot_id|>', '<|eom_id|>', '<|end_of_text|>'],
  tokens: ['<|start_header_id|>', '<|end_header_id|>', '<|begin_of_text|>', '<|python_tag|>'],
  special: [
    '<|image|>',
    '<|finetune_right_pad_id|>',
    '<|step_id|>',
    '<bos>',
    '<eos>',
    '<start_of_turn>',
    '<end_of_turn>',
    '<start_of_image>',
    '<end_of_image>',
  ],
});
