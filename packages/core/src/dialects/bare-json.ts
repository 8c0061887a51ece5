// bare-json: taught, trained into no model: JSON on a line of its own, with nothing around it.
//
//   Let me look.
//   {"name": "get_weather", "arguments": {"location": "Beijing"}}
//   {"name": "get_time", "arguments": {}}
//
// It begins a line, and only a call of a declared tool counts. Text from outside that looks like one is broken. Lists
// and fences are read, too.

import { defineDialect } from '../families/declared/define-dialect.js';

export const bareJson = defineDialect({
  name: 'bare-json',
  aliases: ['raw-json', 'json'],
  about: 'JSON objects at the beginning of a line, with nothing around them.',
  calls: {
    family: 'json',
    open: ['', '```json'],
    close: '```',
    shape: 'objects',
    keys: { name: 'name', arguments: 'arguments' },
    bare: 'line',
  },
  reasoning: { open: '<think>', close: '</think>', starts: true, calls: 'never' },
  results: { each: '<tool_result name={name:json}>\n{output:json}\n</tool_result>', between: '\n' },
});
