// nemotron: NVIDIA's Llama-Nemotron Super and Ultra, Nemotron Nano v2. (Nemotron 3 writes qwen3-coder.)
//
//   <TOOLCALL>[{"name": "get_weather", "arguments": {"location": "Beijing"}}]</TOOLCALL>
//
// The whole prompt is that of Nemotron Nano v2. Its template takes `/think` and `/no_think` out of texts and obeys them;
// here texts stay as they are, and `thinking` says it.

import { defineDialect } from '../families/declared/define-dialect.js';

export const nemotron = defineDialect({
  name: 'nemotron',
  aliases: ['nemotron_deci', 'nemotron_json', 'nemotron-nano-v2', 'llama_nemotron_json'],
  about: 'A JSON list of calls in <TOOLCALL>.',
  models: ['Llama-3.3-Nemotron-Super-49B', 'Llama-3.1-Nemotron-Ultra-253B', 'Nemotron-Nano-9B-v2'],
  calls: {
    family: 'json',
    open: '<TOOLCALL>',
    close: '</TOOLCALL>',
    shape: 'list',
    keys: { name: 'name', arguments: 'arguments' },
  },
  reasoning: { open: '<think>', close: '</think>', starts: true },
  results: {
    before: '<TOOL_RESPONSE>[',
    each: '{output:json}',
    between: ', ',
    behind: ']</TOOL_RESPONSE>',
  },
  teach: {
    text: `You can use the following tools to assist the user if required:
<AVAILABLE_TOOLS>{tools}</AVAILABLE_TOOLS>

If you decide to call any tool(s), use the following format:
<TOOLCALL>[{{"name": "tool_name1", "arguments": "tool_args1"}}, {{"name": "tool_name2", "arguments": "tool_args2"}}]</TOOLCALL>

The user will execute tool-calls and return responses from tool(s) in this format:
<TOOL_RESPONSE>[{{"tool_response1"}}, {{"tool_response2"}}]</TOOL_RESPONSE>

Based on the tool responses, you can call additional tools if needed, correct tool calls if any errors are found, or just respond to the user.`,
    layout: 'list',
  },
  turns: {
    defaultSystem: '',
    system: { open: '<SPECIAL_10>System\n', close: '\n\n' },
    user: { open: '<SPECIAL_11>User\n', close: '\n' },
    assistant: { open: '<SPECIAL_11>Assistant\n', close: '\n<SPECIAL_12>\n' },
    results: { open: '<SPECIAL_11>User\n', close: '', says: '{output}' },
    reasoning: { open: '<think>', close: '</think>', kept: 'none' },
    trims: true,
    generation: { usual: '<think>\n', plain: '<think></think>' },
  },
  ends: ['<|eot_id|>', '<SPECIAL_12>'],
  tokens: ['<|start_header_id|>', '<|end_header_id|>', '<SPECIAL_10>', '<SPECIAL_11>'],
  special: ['<|begin_of_text|>', '<|end_of_text|>', '<s>', '</s>', '<unk>'],
});
