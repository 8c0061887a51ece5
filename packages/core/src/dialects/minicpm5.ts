// minicpm5: MiniCPM5.
//
//   <function name="get_weather"><param name="location">Beijing</param></function>
//   <function name="write"><param name="text"><![CDATA[two
//   lines]]></param></function>
//
// No block around the calls. Text with `<`, `&` or line breaks stands in CDATA. The model also writes one parameter
// that holds all arguments, and tags without their space: `<functionname="f">`.

import { defineDialect } from '../families/declared/define-dialect.js';

export const minicpm5 = defineDialect({
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
  reasoning: { open: '<think>', close: '</think>', starts: true },
  results: { each: '<tool_response>\n{output}\n</tool_response>', between: '\n' },
  teach: {
    text: `# Tools

You are provided with function signatures within <tools></tools> XML tags:
<tools>
{tools}
</tools>

Tool usage guidelines:
- You may call zero or more functions. If no function calls are needed, just answer normally and do not include any <function ... </function>.
- When calling a function, return an XML object within <function ... </function> using:
<function name="function-name"><param name="param-name">param-value</param></function>
- param-value may be multi-line. If it contains <, & or newline characters, wrap it in a CDATA block: <param name="param-name"><![CDATA[...multi-line value...]]></param>`,
    tools: 'openai',
  },
  turns: {
    begin: '<s>',
    system: { open: '<|im_start|>system\n', close: '<|im_end|>\n' },
    user: { open: '<|im_start|>user\n', close: '<|im_end|>\n' },
    assistant: { open: '<|im_start|>assistant\n', close: '<|im_end|>\n' },
    reasoning: { open: '<think>\n', close: '\n</think>\n\n', kept: 'last' },
    generation: { thinking: '<think>\n', plain: '<think>\n\n</think>\n\n' },
  },
  ends: ['<|im_end|>', '<|endoftext|>'],
  tokens: ['<|im_start|>'],
  special: ['<s>', '</s>', '<unk>', '<tool_def_sep>', '<tool_sep>'],
});
