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
  special: [
    '<|system|>',
    '<|endofsystem|>',
    '<|userprompt|>',
    '<|endofuserprompt|>',
    '<|response|>',
    '<|endofresponse|>',
    '<|observation|>',
    '<|endofobservation|>',
    '<|endoftext|>',
  ],
});
