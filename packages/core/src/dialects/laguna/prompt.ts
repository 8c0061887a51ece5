// Writes the prompts of Laguna, as its chat templates do. XS and S 2.1 differ in line breaks, and in whether they reason
// where nothing is asked:
//
//   XS      <user>\nHi\n</user>\n<assistant>\n<think>\nReasoning\n</think>\nText\n<tool_call>f\n<arg_key>…\n</assistant>\n
//   S 2.1   <user>Hi</user>\n<assistant><think>Reasoning</think>Text<tool_call>f<arg_key>…</assistant>\n
//
// An answer without reasoning begins with `</think>`.

import type { TaggedCalls } from '../../engine/declaration.js';
import type { PromptVariant, Render, RenderOptions, Writer } from '../../engine/dialect.js';
import { callsOf, contentField, lastIndexOf, reasoningOf, textOf } from '../../engine/message-text.js';
import { toolsIn } from '../../families/declared/tools-text.js';
import { taggedFamily } from '../../families/tags/tagged-family.js';
import { strip, stripTrailing } from '../../families/writing/python-text.js';
import {
  type Answer,
  defaultSection,
  type Section,
  systemSection,
  type TurnLayout,
  thoughtOf,
  toolsSection,
  turnPrompt,
} from '../../families/writing/turn-prompt.js';

const BEGIN = '〈|EOS|〉';
const DEFAULT_SYSTEM =
  'You are a helpful, conversationally-fluent assistant made by Poolside. You are here to be helpful to users through natural language conversations.';

const AVAILABLE = `### Tools

You may call functions to assist with the user query.
All available function signatures are listed below:
<available_tools>
{tools}
</available_tools>`;

const EXAMPLE = `<tool_call>function-name
<arg_key>argument-key</arg_key>
<arg_value>value-of-argument-key</arg_value>
</tool_call>`;

const FORMAT =
  "or each function call, return an unescaped XML-like object with function name and arguments within '<tool_call>' and '</tool_call>' tags, like here:\n";

/** The text on tools of Laguna XS, which is also taught to chat endpoints. */
export const lagunaTools = `${AVAILABLE}\n\nF${FORMAT}${EXAMPLE}`;

const thinkingTools = `${AVAILABLE}

Wrap your thinking in '<think>', '</think>' tags, followed by a function call. F${FORMAT}<think> your thoughts here </think>
${EXAMPLE}`;

const writeTools = (text: string) => toolsIn({ text, tools: 'openai' });

// --- Laguna XS -----------------------------------------------------------------------------------------

export function lagunaPrompt(writeCalls: Render['calls']): NonNullable<Render['prompt']> {
  return turnPrompt({
    begin: BEGIN,
    open: (role) => `<${role}>\n`,
    close: (role) => `\n</${role}>\n`,
    lead: ({ system, tools, options }) => leadLines(systemOf(system, options), toolsOf(tools, options)),
    results: { open: '', each: '<tool_response>\n{output}\n</tool_response>\n', close: '' },
    query: (messages) => lastIndexOf(messages, 'user'),
    keeps: () => true,
    answer: (out, answer) => writeLines(out, answer, writeCalls),
    plain: '</think>\n',
    generation: ({ thinking }) => (thinking ? '<think>' : '</think>'),
  });
}

const toolsOf = (tools: Parameters<typeof toolsSection>[1], { thinking }: RenderOptions) =>
  toolsSection(writeTools(thinking ? thinkingTools : lagunaTools), tools);

function systemOf(text: string | undefined, options: RenderOptions): Section | undefined {
  if (text === undefined) return defaultSection(options, DEFAULT_SYSTEM);
  return strip(text) === '' ? undefined : systemSection(stripTrailing(text));
}

/** An empty line stands before the system text, and before the tools, system text or none. */
function leadLines(system: Section | undefined, tools: Section | undefined): (Section | undefined)[] {
  const set: Section = (out) => system?.(out.ours('\n'));
  return system || tools ? [set, tools] : [];
}

function writeLines(out: Writer, { message, at }: Answer, writeCalls: Render['calls']): void {
  const { reasoning, text } = thoughtOf(message);
  const field = contentField(at);
  const calls = callsOf(message);
  if (reasoning !== '') out.ours('<think>\n').outside(strip(reasoning), field).ours('\n</think>');
  else out.ours('</think>');
  if (strip(text) !== '') out.ours('\n').outside(strip(text), field);
  if (calls.length > 0) writeCalls(out.ours('\n'), calls, { tools: [], afterText: false });
}

// --- Laguna S 2.1 --------------------------------------------------------------------------------------

const lagunaSTurns = (writeCalls: Render['calls']): TurnLayout => ({
  begin: BEGIN,
  open: (role) => `<${role}>`,
  close: (role) => `</${role}>\n`,
  lead: ({ system, tools, options }) => [
    systemOf(system, options),
    toolsSection(writeTools(AVAILABLE), tools),
  ],
  alwaysLeads: true,
  results: { open: '', each: '<tool_response>{output}</tool_response>\n', close: '' },
  query: (messages) => lastIndexOf(messages, 'user'),
  keeps,
  answer: (out, answer) => {
    const { message, at } = answer;
    const field = contentField(at);
    if (keeps(answer)) out.ours('<think>').outside(reasoningOf(message) ?? '', field);
    out.ours('</think>').outside(textOf(message), field);
    writeCalls(out, callsOf(message), { tools: [], afterText: false });
  },
  plain: '</think>',
  generation: ({ thinking }) => (thinking === false ? '</think>' : '<think>'),
});

function keeps({ options: { thinking, template } }: Answer): boolean {
  return thinking !== false || template?.preserve_thinking === true;
}

export function lagunaS(calls: TaggedCalls): PromptVariant {
  const inline: TaggedCalls = { ...calls, layout: { before: '' } };
  return {
    name: 'laguna-s-2.1',
    models: ['Laguna S 2.1'],
    prompt: turnPrompt(lagunaSTurns(taggedFamily.writeCalls(inline))),
  };
}
