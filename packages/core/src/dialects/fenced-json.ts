// fenced-json: taught, trained into no model: a call in a fence of JSON, as models write it when they are asked to.
//
//   Let me look.
//   ```json
//   {"name": "get_weather", "arguments": {"location": "Beijing"}}
//   ```
//
// One call a fence; a list in a fence, and a fence without a language, are read, too. A fence is common in prose, so
// only a call of a declared tool counts, and text from outside that looks like one is broken.

import { defineDialect } from '../families/declared/define-dialect.js';

export const fencedJson = defineDialect({
  name: 'fenced-json',
  aliases: ['json-fence', 'markdown-json'],
  about: 'One JSON object a call in a fence of Markdown.',
  calls: {
    family: 'json',
    open: ['```json', '```', '```tool_call', '```tool_code'],
    close: '```',
    shape: 'object',
    inside: ['\n', '\n'],
    keys: { name: 'name', arguments: 'arguments' },
  },
  reasoning: { open: '<think>', close: '</think>', starts: true, calls: 'never' },
  results: { each: '<tool_result name={name:json}>\n{output:json}\n</tool_result>', between: '\n' },
});
