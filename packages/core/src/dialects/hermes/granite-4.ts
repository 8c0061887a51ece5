// The prompt of Granite 4: calls and results as Qwen's, in turns of Granite.
//
//   <|start_of_role|>user<|end_of_role|>Time?<|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|><tool_call>…

import type { PromptVariant } from '../../engine/dialect.js';
import { toolsIn } from '../../families/declared/tools-text.js';
import {
  defaultSection,
  systemSection,
  type TurnLayout,
  toolsSection,
  turnPrompt,
} from '../../families/writing/turn-prompt.js';
import { qwenTurns } from './prompt.js';

const DEFAULT_SYSTEM =
  'You are a helpful assistant. Please ensure responses are professional, accurate, and safe.';
const CLOSE = '<|end_of_text|>\n';

const writeTools = toolsIn({
  text: `You are a helpful assistant with access to the following tools. You may call one or more tools to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
{tools}
</tools>

For each tool call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>. If a tool does not exist in the provided list of tools, notify the user that you do not have the ability to fulfill the request.`,
  tools: 'openai',
});

const open = (role: string) => `<|start_of_role|>${role}<|end_of_role|>`;

const granite4Turns: TurnLayout = {
  ...qwenTurns,
  open,
  close: () => CLOSE,
  lead: ({ system, tools, options }) => [
    systemSection(system) ?? (tools.length > 0 ? undefined : defaultSection(options, DEFAULT_SYSTEM)),
    toolsSection(writeTools, tools),
  ],
  results: { ...qwenTurns.results, open: open('user'), close: CLOSE },
};

export const granite4: PromptVariant = {
  name: 'granite-4',
  models: ['Granite 4', 'Granite 4.1'],
  prompt: turnPrompt(granite4Turns),
  stop: ['<|end_of_text|>'],
};
