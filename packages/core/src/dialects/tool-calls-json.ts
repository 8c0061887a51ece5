// tool-calls-json: taught, trained into no model: the object that APIs answer with, written as text.
//
//   Let me look.
//   {"tool_calls": [{"name": "get_weather", "arguments": {"location": "Beijing"}}]}
//
// It begins a line, and only calls of declared tools count. {"tool_call": {…}}, the inner {"function": {…}} of OpenAI,
// arguments as a string, a bare call and fences are read, too.

import { defineDialect } from '../families/declared/define-dialect.js';

export const toolCallsJson = defineDialect({
  name: 'tool-calls-json',
  aliases: ['openai-json', 'tool_calls'],
  about: 'A JSON object with a list of calls: {"tool_calls": […]}.',
  calls: {
    family: 'json',
    open: ['', '```json'],
    close: '```',
    shape: 'list',
    wrapper: 'tool_calls',
    keys: { name: 'name', arguments: 'arguments' },
    bare: 'line',
  },
  reasoning: { open: '<think>', close: '</think>', starts: true, calls: 'never' },
  results: { each: '<tool_result name={name:json}>\n{output:json}\n</tool_result>', between: '\n' },
});
