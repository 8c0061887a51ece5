// Writes the prompt of Solar Open, as its chat template does: every part of an answer is a message of its own.
//
//   <|begin|>user<|content|>Time?<|end|><|begin|>assistant<|think|>I look.<|end|><|begin|>assistant<|tool_calls|>…<|calls|>
//   <|begin|>tool<|tool_response|><|tool_response:begin|>a1…<|tool_response:end|><|end|><|begin|>assistant
//
// The template drops text beside calls: here it is a message before them. It begins with a text on the model that holds
// today's date: `template: { defaultSystem: true, current_date: '2026-01-02' }` writes it.

import type { Render, RenderOptions, Writer } from '../../engine/dialect.js';
import { callsOf, contentField, lastIndexOf, reasoningOf, textOf } from '../../engine/message-text.js';
import { effortOption } from '../../families/writing/effort-words.js';
import { templateText } from '../../families/writing/prompt-parts.js';
import { toolFunction } from '../../families/writing/tool-text.js';
import {
  type Answer,
  type Section,
  systemSection,
  toolsSection,
  turnPrompt,
} from '../../families/writing/turn-prompt.js';
import type { Tool } from '../../model/index.js';

const END = '<|end|>';
const NEXT = '<|begin|>assistant';

const TOOLS = `## Tools

### Tool Call Instruction
You may invoke one or more tools to assist with the user's query. Available tools are provided in JSON Schema format: <|tools:begin|><|tool:begin|><tools-json-object><|tool:end|>...<|tools:end|>

### Available Tools
<|tools:begin|>{tools}<|tools:end|>

### Tool Call Format
For each tool call, return a JSON object with the following structure, enclosed within <|tool_call:begin|> and <|tool_call:end|> tags: 
<|tool_call:begin|><tool-call-id><|tool_call:name|><tool-name><|tool_call:args|><args-json-object><|tool_call:end|>
- The <tool-call-id> must be a randomly generated string consisting of 10 lowercase letters (a-z) and/or digits (0-9) (e.g., a1b2c3d4e5)

### Tool Response Format
Each tool is responded by \`tool\` with the following structure:
<|tool_response:id|><tool-call-id><|tool_response:name|><tool-name><|tool_response:result|><results><|tool_response:end|>
- Ensure the <tool-call-id> matches the corresponding tool call`;

function writeTools(out: Writer, tools: readonly Tool[]): void {
  const [before = '', behind = ''] = TOOLS.split('{tools}');
  out.ours(before);
  for (const [at, tool] of tools.entries())
    out.ours('<|tool:begin|>').json(toolFunction(tool), `tools[${at}]`).ours('<|tool:end|>');
  out.ours(behind);
}

export const solarResults =
  '<|tool_response:begin|>{id}<|tool_response:name|>{name}<|tool_response:result|>{output}<|tool_response:end|>';

export function solarPrompt(writeCalls: Render['calls']): NonNullable<Render['prompt']> {
  return turnPrompt({
    open: (role) => (role === 'assistant' ? NEXT : `<|begin|>${role}<|content|>`),
    close: () => END,
    endOf: (message) => (callsOf(message).length > 0 ? '<|calls|>' : END),
    lead: ({ system, tools, options }) => [
      providerSection(options),
      titled('## System Prompt\n\n', systemSection(system)),
      toolsSection(writeTools, tools),
    ],
    results: { open: '<|begin|>tool<|tool_response|>', each: solarResults, close: END },
    query: (messages) => lastIndexOf(messages, 'user'),
    keeps,
    answer: (out, answer) => writeAnswer(out, answer, writeCalls),
    generation: (options) => (isBrief(options) ? `<|think|>${END}${NEXT}` : ''),
  });
}

export const solarEffort = effortOption('reasoning_effort', ['low', 'medium', 'high', 'high']);

function keeps({ isCurrent, options }: Answer): boolean {
  return isCurrent || options.template?.think_render_option === 'all';
}

function isBrief({ thinking, template = {} }: RenderOptions): boolean {
  return thinking === false || ['low', 'minimal'].includes(templateText(template, 'reasoning_effort') ?? '');
}

function providerSection({ template = {} }: RenderOptions): Section | undefined {
  const date = templateText(template, 'current_date') ?? '';
  if (template.defaultSystem !== true) return undefined;
  return (out) =>
    out
      .ours(
        '## Provider System Prompt\n\nYou are Solar Open 100B, a large language model trained by Upstage AI, a Korean startup. Your knowledge cutoff is 2025-07. The current date is ',
      )
      .outside(date, 'template.current_date')
      .ours('.');
}

function titled(title: string, section: Section | undefined): Section | undefined {
  return section && ((out) => section(out.ours(title)));
}

function writeAnswer(out: Writer, answer: Answer, writeCalls: Render['calls']): void {
  const { message, at } = answer;
  const field = contentField(at);
  const calls = callsOf(message);
  const text = textOf(message);
  const thought = keeps(answer) ? (reasoningOf(message) ?? '') : '';
  if (thought !== '')
    out
      .ours('<|think|>')
      .outside(thought, field)
      .ours(END + NEXT);
  if (text !== '' || calls.length === 0) out.ours('<|content|>').outside(text, field);
  if (calls.length > 0)
    writeCalls(out.ours(text === '' ? '' : END + NEXT), calls, { tools: [], afterText: false });
}
