// minimax-m2: MiniMax M2 to M2.7.
//
//   <minimax:tool_call>
//   <invoke name="get_weather">
//   <parameter name="location">Beijing</parameter>
//   </invoke>
//   </minimax:tool_call>
//
// Values are verbatim: white space around them is theirs. Results in a tool turn, each as
// <response>…</response>. The prompt opens the reasoning.

import { defineDialect } from '../../families/declared/define-dialect.js';
import { minimaxTokens } from './tokens.js';

export const minimaxM2 = defineDialect({
  name: 'minimax-m2',
  aliases: ['minimax_m2', 'minimax', 'minimax_m2_append_think', 'minimax-append-think'],
  about: 'One <invoke> a call and one <parameter> an argument, in <minimax:tool_call>.',
  models: ['MiniMax-M2', 'MiniMax-M2.1', 'MiniMax-M2.5', 'MiniMax-M2.7'],
  calls: {
    family: 'tags',
    block: { open: '<minimax:tool_call>', close: '</minimax:tool_call>' },
    call: { open: '<invoke name="{name}">', close: '</invoke>' },
    argument: { open: '<parameter name="{key}">', close: '</parameter>' },
    layout: { block: '\n', call: '\n', argument: '\n', behind: '\n' },
    bareCalls: 'if-declared',
  },
  reasoning: { open: '<think>', close: '</think>', starts: true },
  results: { each: '<response>{output}</response>', between: '\n' },
  teach: {
    text: `# Tools
You may call one or more tools to assist with the user query.
Here are the tools available in JSONSchema format:

<tools>
{tools}
</tools>

When making tool calls, use XML format to invoke tools and pass parameters:

<minimax:tool_call>
<invoke name="tool-name-1">
<parameter name="param-key-1">param-value-1</parameter>
<parameter name="param-key-2">param-value-2</parameter>
...
</invoke>
</minimax:tool_call>`,
    each: '<tool>{tool}</tool>',
  },
  turns: {
    begin: ']~!b[',
    defaultSystem: 'You are a helpful assistant.',
    system: { open: ']~b]system\n', close: '[e~[\n' },
    user: { open: ']~b]user\n', close: '[e~[\n' },
    assistant: { open: ']~b]ai\n', close: '[e~[\n' },
    results: { open: ']~b]tool\n', close: '[e~[\n' },
    reasoning: { open: '<think>\n', close: '\n</think>\n\n', kept: 'last' },
    callsApart: true,
    generation: { usual: '<think>\n' },
  },
  ends: ['[e~['],
  tokens: [']~!b[', ']~b]'],
  special: minimaxTokens,
});
