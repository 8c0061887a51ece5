// Writes the prompt of MiniMax M3, as its chat template does.
//
//   ]~!b[]~b]system\nYour model version is MiniMax-M3, … <thinking_instructions> … [e~[\n
//   ]~b]developer\nBe brief.\n\n# Tools\n … <tools>\n<tool>{"name": …}</tool>\n</tools> … [e~[\n
//   ]~b]user\nWeather?[e~[\n]~b]ai\n<mm:think>I look.</mm:think>]<]minimax[>[<tool_call>\n…[e~[\n
//   ]~b]tool\n<response>22</response>[e~[\n]~b]ai\n
//
// (All in one line.) Reasoning is kept in every turn; a turn without it begins with the closer. Null arguments are left
// out. System texts become the developer's. `thinking` requests or forbids reasoning; without it the model decides.
// `template` may give `thinking_mode` and `model_identity`. The prompt cannot be read back: elements would be taken for
// text where the schema has a text.

import type { ToolsText } from '../../engine/declaration.js';
import type { Render, RenderOptions, Writer } from '../../engine/dialect.js';
import { callsOf, contentField, reasoningOf, textOf } from '../../engine/message-text.js';
import { resultsIn } from '../../families/declared/declared-results.js';
import { writeToolsText } from '../../families/declared/tools-text.js';
import { inputOf } from '../../families/writing/call-arguments.js';
import { leadingSystem, templateText, writeTurns } from '../../families/writing/prompt-parts.js';
import { stripBreaks } from '../../families/writing/python-text.js';
import { isRecord } from '../../families/writing/tool-text.js';
import {
  type AssistantMessage,
  type ExactValue,
  exactEntries,
  exactObject,
  stringifyJson,
  type ToolCall,
} from '../../model/index.js';

const NAMESPACE = ']<]minimax[>[';
const TURN = ']~b]';
const TURN_END = '[e~[\n';
const THINK = '<mm:think>';
const THINK_END = '</mm:think>';

const writeResults = resultsIn({
  before: `${TURN}tool`,
  each: '\n<response>{output}</response>',
  between: '',
  behind: TURN_END,
});

export function minimaxM3Prompt(writeCalls: Render['calls']): NonNullable<Render['prompt']> {
  return (out, { messages, tools }, options) => {
    const mode = modeOf(options);
    const { text, rest } = leadingSystem(messages);
    out.ours(systemTurn(mode));
    writeDeveloper(out, text, options);
    if (tools.length > 0) writeToolsText(out.ours('\n\n'), tools, minimaxM3Tools);
    out.ours(TURN_END);
    writeTurns(messages, rest, {
      text: (message, at) => {
        const speaker = message.role === 'system' ? 'developer' : 'user';
        out.ours(`${TURN}${speaker}\n`).outside(textOf(message), contentField(at)).ours(TURN_END);
      },
      answer: (message, at) => {
        const plain = `${TURN}ai\n${THINK_END}`;
        if (
          !out.ownWords(message, {
            options,
            begin: beginning,
            keeps: true,
            plain,
            opener: THINK,
            closer: THINK_END,
          })
        )
          writeAssistant(out, message, at, writeCalls);
        out.ours(TURN_END);
      },
      results: (results) => writeResults(out, results),
    });
    if (options.generate !== false) out.ours(beginning(options));
  };
}

function beginning(options: RenderOptions): string {
  const mode = modeOf(options);
  return `${TURN}ai\n${mode === 'enabled' ? THINK : mode === 'disabled' ? THINK_END : ''}`;
}

type Mode = 'enabled' | 'disabled' | 'adaptive';

function modeOf({ thinking, template = {} }: RenderOptions): Mode {
  const said = templateText(template, 'thinking_mode');
  if (said === 'enabled' || said === 'disabled' || said === 'adaptive') return said;
  return thinking === undefined ? 'adaptive' : thinking ? 'enabled' : 'disabled';
}

// --- before the turns ----------------------------------------------------------------------------------

const IDENTITY =
  'Your model version is MiniMax-M3, developed by MiniMax. Knowledge cutoff: January 2026. Founded in early 2022, ' +
  'MiniMax is a global AI foundation model company committed to advancing the frontiers of AI towards AGI.';

const MODES: Record<Mode, string> = {
  enabled:
    'enabled. You MUST think step by step before every response, including after receiving function/tool results.',
  disabled: 'disabled. Do not output any thinking process.',
  adaptive:
    'adaptive. You are encouraged to think for complex decision-making, multi-step reasoning, or when analyzing ' +
    'function/tool results.',
};

const systemTurn = (mode: Mode) => `]~!b[${TURN}system
${IDENTITY}

<thinking_instructions>
You have a thinking capability that allows you to reason step by step before responding. When thinking is enabled, wrap your reasoning in ${THINK}${THINK_END} tags before your response. When thinking is disabled, begin your response directly after the ${THINK_END} prefix. When thinking is adaptive, decide on your own whether to think for the current turn.
Current thinking mode: ${MODES[mode]}
</thinking_instructions>${TURN_END}`;

function writeDeveloper(out: Writer, text: string, { template = {} }: RenderOptions): void {
  const identity = templateText(template, 'model_identity') ?? 'You are a helpful assistant.';
  out.ours(`${TURN}developer\n`);
  if (text !== '') out.outside(text, contentField(0));
  else out.outside(identity, 'template.model_identity');
}

const EXAMPLE = [
  '<tool_call>\n',
  '<invoke name="tool-name-1">',
  '<param-1>value-1',
  '</param-1>',
  '<param-2>',
  '<item>',
  '<key-a>val-a',
  '</key-a>',
  '<key-b>val-b',
  '</key-b>',
  '</item>',
  '</param-2>',
  '</invoke>\n',
  '<invoke name="tool-name-2">',
  '<param-1>value-1',
  '</param-1>',
  '</invoke>\n',
  '</tool_call>',
]
  .map((tag) => NAMESPACE + tag)
  .join('');

/** The text that teaches the format, in the vendor's words. */
export const minimaxM3Tools: ToolsText = {
  text: `# Tools
You may call one or more tools to assist with the user query.
Here are the tools available in JSONSchema format:

<tools>
{tools}
</tools>

To call tools, wrap all invocations in a single ${NAMESPACE}<tool_call>${NAMESPACE}</tool_call> block. Parameter values containing nested objects or arrays are recursively expanded into XML elements. Example:

${EXAMPLE}`,
  each: '<tool>{tool}</tool>',
};

// --- turns ---------------------------------------------------------------------------------------------

function writeAssistant(
  out: Writer,
  message: AssistantMessage,
  at: number,
  writeCalls: Render['calls'],
): void {
  const field = contentField(at);
  const { thought, text } = saidBy(message);
  out.ours(`${TURN}ai\n`);
  if (thought !== '') out.ours(THINK).outside(thought, field);
  out.ours(THINK_END).outside(text, field);
  const calls = callsOf(message);
  if (calls.length > 0) writeCalls(out, calls.map(withoutNulls), { tools: [], afterText: text !== '' });
}

/** Splits a message into reasoning and text. The reasoning may be inside the text. */
function saidBy(message: AssistantMessage): { thought: string; text: string } {
  const thought = reasoningOf(message);
  const text = textOf(message);
  if (thought !== undefined || !text.includes(THINK_END)) return { thought: thought ?? '', text };
  const parts = text.split(THINK_END);
  const first = stripBreaks(parts[0] ?? '').split(THINK);
  return { thought: stripBreaks(first.at(-1) ?? ''), text: stripBreaks(parts.at(-1) ?? '') };
}

function withoutNulls(call: ToolCall): ToolCall {
  return { ...call, raw: stringifyJson(pruned(inputOf(call)), 'compact') };
}

function pruned(value: ExactValue): ExactValue {
  if (Array.isArray(value)) return value.map(pruned);
  if (!isRecord(value)) return value;
  const kept = exactEntries(value).filter(([, member]) => member !== null);
  return exactObject(kept.map(([key, member]) => [key, pruned(member)] as const));
}
