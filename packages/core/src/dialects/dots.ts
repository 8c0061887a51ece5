// dots: dots.llm.
//
//   <dots_function_call>
//   <invoke name="get_weather">
//   <parameter name="location">Beijing</parameter>
//   </invoke>
//   </dots_function_call>
//
// The model also writes {"name": …, "arguments": {…}} in the same tags: read as a repair.

import { defineDialect } from '../families/declared/define-dialect.js';

export const dots = defineDialect({
  name: 'dots',
  about: 'One <invoke> a call and one <parameter> an argument, in <dots_function_call>.',
  models: ['dots.llm1', 'dots.llm'],
  calls: {
    family: 'tags',
    block: { open: '<dots_function_call>', close: '</dots_function_call>' },
    call: { open: '<invoke name="{name}">', close: '</invoke>' },
    argument: { open: '<parameter name="{key}">', close: '</parameter>' },
    layout: { block: '\n', call: '\n', argument: '\n', behind: '\n' },
    jsonCalls: true,
  },
  // Turns of dots.llm1 as llama.cpp and ms-swift write them, with the tokens around thoughts that exllamav3 knows, and
  // those of its successor. No tokenizer's configuration was at hand.
  special: (
    '<|system|> <|endofsystem|> <|userprompt|> <|endofuserprompt|> <|response|> <|endofresponse|> <|user|> <|endofuser|> ' +
    '<|assistant|> <|endofassistant|> <|observation|> <|endofobservation|> <|sec-cot|> <|sec-end-cot|> ' +
    '<dots_function_response> </dots_function_response> <no_think> <|endoftext|>'
  ).split(' '),
});
