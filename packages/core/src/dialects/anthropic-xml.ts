// anthropic-xml: one element a call, as Claude's earlier prompts taught it and many prompts still do.
//
//   <function_calls>
//   <invoke name="get_weather">
//   <parameter name="location">Beijing</parameter>
//   </invoke>
//   </function_calls>
//
// Taught to models that were not trained on it. The prefix of its later form, `antml:`, is read, too.

import { defineDialect } from '../families/declared/define-dialect.js';

export const anthropicXml = defineDialect({
  name: 'anthropic-xml',
  aliases: ['invoke-xml'],
  about: 'One <invoke> a call and one <parameter> an argument, in <function_calls>: taught, not trained.',
  calls: {
    family: 'tags',
    block: {
      open: ['<function_calls>', '<antml:function_calls>'],
      close: ['</function_calls>', '</antml:function_calls>'],
    },
    call: {
      open: ['<invoke name="{name}">', '<antml:invoke name="{name}">'],
      close: ['</invoke>', '</antml:invoke>'],
    },
    argument: {
      open: ['<parameter name="{key}">', '<antml:parameter name="{key}">'],
      close: ['</parameter>', '</antml:parameter>'],
    },
    layout: { block: '\n', call: '\n', argument: '\n', behind: '\n' },
    bareCalls: 'if-declared',
  },
  results: {
    before: '<function_results>\n',
    each: '<result>\n{output}\n</result>',
    between: '\n',
    behind: '\n</function_results>',
  },
  teach: {
    rules:
      'Write one parameter for each argument, if any: strings as they are, without quotes or escapes, all other ' +
      'values as JSON. For several calls write several invokes in one block.',
  },
});
