// Rows as Anthropic's Messages API has them: `{system?, messages, tools?, tool_choice?}`, with blocks.
//
// A user's message that holds results becomes two, the results first. Written are results and what the user says
// behind them as one message, as the API wants it, unless they came as two; thoughts with or without a signature;
// in each message and block first what the API knows, then the rest.

import type { Form } from './form.js';
import { readAnthropic } from './read-anthropic.js';
import { writeAnthropic } from './write-anthropic.js';

export const anthropicForm: Form = {
  name: 'anthropic',
  about: 'Anthropic messages: {system, messages, tools}, with tool_use and tool_result blocks',
  needsDialect: false,
  read: readAnthropic,
  write: writeAnthropic,
};
