// minicpm5: MiniCPM5.
//
//   <function name="get_weather"><param name="location">Beijing</param></function>
//   <function name="write"><param name="text"><![CDATA[two
//   lines]]></param></function>
//
// No block around the calls. Text with `<`, `&` or line breaks stands in CDATA. The model also writes one parameter
// that holds all arguments, and tags without their space: `<functionname="f">`.

import type { Dialect } from '../codec/dialect.js';
import { defineDialect } from './define-dialect.js';

export const minicpm5: Dialect = defineDialect({
  name: 'minicpm5',
  aliases: ['minicpm5xml'],
  about: 'One <function> a call and one <param> an argument, text in CDATA where it needs it.',
  models: ['MiniCPM5-1B'],
  calls: {
    family: 'tags',
    call: { open: ['<function name="{name}">', '<functionname="{name}">'], close: '</function>' },
    argument: { open: ['<param name="{key}">', '<paramname="{key}">'], close: '</param>' },
    layout: { behind: '\n' },
    cdata: 'written',
    wrappers: ['properties', 'arguments'],
  },
  reasoning: { open: '<think>', close: '</think>' },
  results: { each: '<tool_response>\n{output}\n</tool_response>', between: '\n' },
  teach: { tools: 'openai' },
  ends: ['<|im_end|>', '<|endoftext|>'],
  tokens: ['<|im_start|>'],
});
