// Rows as OpenAI's chat API has them: `{messages, tools?, tool_choice?}`, and as training files hold the same.
//
// Read in any spelling, written in one: `tools` and `arguments` may come as JSON or as its text, `functions` and
// `function_call` are as good as `tools` and `tool_calls`, thoughts stand in `reasoning_content`, `reasoning` or
// `thinking`, and what is null is absent. Written are lists of `tools`, `arguments` as text, `reasoning_content`,
// and in each message first what the API knows, then the rest.

import type { Form } from './form.js';
import { readOpenai } from './read-openai.js';
import { writeOpenai } from './write-openai.js';

export const openaiForm: Form = {
  name: 'openai',
  about: 'OpenAI chat: {messages, tools}, with tool_calls and tool messages',
  needsDialect: false,
  read: readOpenai,
  write: writeOpenai,
};
