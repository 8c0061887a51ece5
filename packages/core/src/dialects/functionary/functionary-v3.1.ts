// functionary-v3.1: MeetKai's Functionary v3.1, and Llama 3.1 where it is asked for functions in tags.
//
//   <function=get_weather>{"location": "Beijing"}</function>
//
// There is no whole prompt: what the vendor's template makes of tools depends on who runs it (transformers escapes their
// quotes for HTML).

import { defineDialect } from '../../families/declared/define-dialect.js';

export const functionaryV31 = defineDialect({
  name: 'functionary-v3.1',
  aliases: ['functionary_v3.1', 'functionary-v3-llama3.1'],
  about: 'The name in a tag, the arguments in it as JSON: <function=f>{…}</function>.',
  models: ['functionary-small-v3.1', 'functionary-medium-v3.1'],
  templateSigns: [['<function=', '</function>', '<|python_tag|>']],
  calls: {
    family: 'named',
    open: '<function=',
    separator: '>',
    close: '</function>',
    between: '\n',
  },
  results: { each: '<tool_response>\n{output}\n</tool_response>', between: '\n' },
  ends: ['<|eot_id|>', '<|eom_id|>'],
  tokens: ['<|start_header_id|>', '<|end_header_id|>', '<|python_tag|>'],
  special: [
    '<|begin_of_text|>',
    '<|end_of_text|>',
    '<|finetune_right_pad_id|>',
    '<|step_id|>',
    '<|reserved_special_token_',
  ],
});
