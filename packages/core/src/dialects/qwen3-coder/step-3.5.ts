// The prompt of Step 3.5 Flash: definitions as JSON, results in a turn of their own, no white space around calls.
//
//   <|im_start|>assistant\n<think>\nReasoning\n</think>\nText<tool_call>…</tool_call><tool_call>…</tool_call><|im_end|>\n
//   <|im_start|>tool_response\n<tool_response>Clear.</tool_response><|im_end|>\n

import type { PromptVariant, Writer } from '../../engine/dialect.js';
import { callsOf, contentField } from '../../engine/message-text.js';
import { toolsIn } from '../../families/declared/tools-text.js';
import { chatmlFrames } from '../../families/writing/chatml.js';
import {
  type Answer,
  lastQuery,
  systemSection,
  type TurnLayout,
  thoughtOf,
  toolsSection,
  turnPrompt,
} from '../../families/writing/turn-prompt.js';
import { writeCalls } from './calls.js';

const writeTools = toolsIn({
  text: `# Tools

You have access to the following functions in JSONSchema format:

<tools>
{tools}
</tools>

If you choose to call a function ONLY reply in the following format with NO suffix:

<tool_call>
<function=example_function_name>
<parameter=example_parameter_1>
value_1
</parameter>
<parameter=example_parameter_2>
This is the value for the second parameter
that can span
multiple lines
</parameter>
</function>
</tool_call>

<IMPORTANT>
Reminder:
- Function calls MUST follow the specified format: an inner <function=...>
...
</function> block must be nested within <tool_call>
...
</tool_call> XML tags
- Required parameters MUST be specified
</IMPORTANT>`,
  tools: 'openai',
});

const stepTurns: TurnLayout = {
  ...chatmlFrames,
  begin: '<｜begin▁of▁sentence｜>',
  lead: ({ system, tools }) => [systemSection(system), toolsSection(writeTools, tools)],
  results: {
    open: chatmlFrames.open('tool_response'),
    each: '<tool_response>{output}</tool_response>',
    close: chatmlFrames.close(),
  },
  query: lastQuery,
  keeps: ({ isCurrent }) => isCurrent,
  answer: writeAnswer,
  generation: () => '<think>\n',
};

function writeAnswer(out: Writer, { message, at, isCurrent }: Answer): void {
  const { reasoning, text } = thoughtOf(message);
  const field = contentField(at);
  if (isCurrent) out.ours('<think>\n').outside(reasoning, field).ours('\n</think>\n');
  writeCalls(out.outside(text, field), callsOf(message), undefined, { between: '' });
}

export const step35: PromptVariant = {
  name: 'step-3.5',
  models: ['Step 3.5'],
  prompt: turnPrompt(stepTurns),
};
