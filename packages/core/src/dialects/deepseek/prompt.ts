// Writes the prompts of DeepSeek V3.1 and V3.2. Those of V4 are in v4-prompt.ts.
//
//   V3.1   <｜User｜>Time?<｜Assistant｜></think><｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}
//          <｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜><｜tool▁output▁begin｜>12:00<｜tool▁output▁end｜>
//   V3.2   <｜User｜>Time?<｜Assistant｜></think>\n\n<｜DSML｜function_calls>…<｜end▁of▁sentence｜>
//          \n\n<function_results>\n<result>12:00</result>\n</function_results>\n\n</think>
//
// V3.1 continues right after its results; V3.2 writes a thinking token first. Both keep results in the order they
// came. Thinking is off unless requested, as in both vendors' code.
//
// V3.1's template does not mention tools; the text is the one of its model card. V3.2's encoder leaves a block of
// results open if it is shorter than its calls; here it is closed, so that the turn continues.

import type { Render, RenderOptions, Writer } from '../../engine/dialect.js';
import {
  callField,
  callsOf,
  contentField,
  lastIndexOf,
  reasoningOf,
  textOf,
} from '../../engine/message-text.js';
import type { TurnPlace } from '../../engine/own-words.js';
import { resultsIn } from '../../families/declared/declared-results.js';
import { argumentsText } from '../../families/writing/call-arguments.js';
import { memberOf, teaching, toolFunction } from '../../families/writing/tool-text.js';
import type {
  AssistantMessage,
  Conversation,
  Message,
  Tool,
  ToolCall,
  ToolResult,
} from '../../model/index.js';
import {
  BOS,
  dsmlShortForm,
  EOS,
  V32,
  writeDsmlCalls,
  writeFunctionsText,
  writeOwnTurn,
} from './dsml-calls.js';

const writeFunctionResults = resultsIn({
  before: '<function_results>',
  each: '\n<result>{output}</result>',
  between: '',
  behind: '\n</function_results>',
});

export const deepseekV32Render: Render = {
  instructions: teaching(
    dsmlShortForm(V32, '<function_results> with one <result>...</result> each'),
    writeFunctionsText,
  ),
  calls: (out, calls, { tools, afterText }) =>
    writeDsmlCalls(out.ours(afterText ? '\n\n' : ''), calls, V32, tools),
  results: writeFunctionResults,
  prompt: writeV32Prompt,
  stop: [EOS],
};

const writeV31Outputs = resultsIn({
  each: '<｜tool▁output▁begin｜>{output}<｜tool▁output▁end｜>',
  between: '',
});

export const deepseekV31Render: Render = {
  instructions: teaching(
    {
      example:
        '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>NAME<｜tool▁sep｜>{"key": "text", "count": 2}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      rules:
        'The name of the tool stands before <｜tool▁sep｜>, its arguments behind it as one JSON object ({} if there are ' +
        'none). For several calls repeat <｜tool▁call▁begin｜>...<｜tool▁call▁end｜> without anything between.',
      result: '<｜tool▁output▁begin｜>...<｜tool▁output▁end｜>',
    },
    writeV31Tools,
  ),
  calls: writeV31Calls,
  results: writeV31Outputs,
  prompt: writeV31Prompt,
  stop: [EOS],
};

// --- V3.2 ----------------------------------------------------------------------------------------------

function writeV32Prompt(out: Writer, { messages, tools }: Conversation, options: RenderOptions): void {
  const lastUser = lastIndexOf(messages, 'user');
  out.ours(BOS);
  if (tools.length > 0 && messages[0]?.role !== 'system') writeFunctionsText(out.ours('\n\n'), tools);
  for (const [at, message] of messages.entries()) {
    const thinks = options.thinking === true && at >= lastUser;
    const goesOn = at < messages.length - 1 || options.generate !== false;
    if (message.role === 'user') {
      out.ours('<｜User｜>').outside(textOf(message), contentField(at));
      if (goesOn) out.ours('<｜Assistant｜>').ours(thinks ? '<think>' : '</think>');
    } else if (message.role === 'assistant') {
      writeV32Assistant(out, message, at, thinks);
    } else if (message.role === 'system') {
      out.outside(textOf(message), contentField(at));
      if (at === 0 && tools.length > 0) writeFunctionsText(out.ours('\n\n'), tools);
    } else if (messages[at + 1]?.role !== 'tool') {
      writeFunctionResults(out.ours('\n\n'), runOfResults(messages, at));
      if (goesOn) out.ours('\n\n').ours(thinks ? '<think>' : '</think>');
    }
  }
}

function writeV32Assistant(out: Writer, message: AssistantMessage, at: number, thinks: boolean): void {
  if (writeOwnTurn(out, message, thinks)) return;
  if (thinks) out.outside(reasoningOf(message) ?? '', contentField(at)).ours('</think>');
  out.outside(textOf(message), contentField(at));
  const calls = callsOf(message);
  if (calls.length > 0) writeDsmlCalls(out.ours('\n\n'), calls, V32);
  out.ours(EOS);
}

/** Gives the results of the tool messages that end at `last`. */
function runOfResults(messages: readonly Message[], last: number): ToolResult[] {
  const start = messages.findLastIndex((message, at) => at <= last && message.role !== 'tool') + 1;
  return messages.slice(start, last + 1).flatMap((message) => (message.role === 'tool' ? message.parts : []));
}

// --- V3.1 ----------------------------------------------------------------------------------------------

function writeV31Prompt(out: Writer, { messages, tools }: Conversation, options: RenderOptions): void {
  const system = messages.filter((message) => message.role === 'system').map((message) => textOf(message));
  out.ours(BOS).outside(system.join('\n\n'), contentField(0));
  if (tools.length > 0) writeV31Tools(out.ours('\n\n'), tools);
  let before: Message['role'] = 'system';
  for (const [at, message] of messages.entries()) {
    if (message.role === 'system') continue;
    if (message.role === 'user') out.ours('<｜User｜>').outside(textOf(message), contentField(at));
    else if (message.role === 'tool') writeV31Outputs(out, message.parts);
    else if (out.ownWords(message, ownV31Place(options, before))) out.ours(EOS);
    else writeV31Assistant(out, message, at, before);
    before = message.role;
  }
  if (before !== 'user' || options.generate === false) return;
  out.ours('<｜Assistant｜>').ours(options.thinking === true ? '<think>' : '</think>');
}

function ownV31Place(options: RenderOptions, before: Message['role']): TurnPlace {
  const plain = before === 'user' ? '<｜Assistant｜></think>' : '';
  return { options, begin: () => plain, keeps: false, plain };
}

/** Writes an answer without its reasoning, also where the reasoning is inside the text. */
function writeV31Assistant(
  out: Writer,
  message: AssistantMessage,
  at: number,
  before: Message['role'],
): void {
  const calls = callsOf(message);
  const text = textOf(message);
  const end = calls.length > 0 || before === 'tool' ? -1 : text.indexOf('</think>');
  if (before === 'user') out.ours('<｜Assistant｜></think>');
  out.outside(end < 0 ? text : text.slice(end + '</think>'.length), contentField(at));
  writeV31Calls(out, calls);
  out.ours(EOS);
}

function writeV31Calls(out: Writer, calls: readonly ToolCall[]): void {
  if (calls.length === 0) return;
  out.ours('<｜tool▁calls▁begin｜>');
  for (const call of calls) {
    out.ours('<｜tool▁call▁begin｜>').outside(call.name, callField(call)).ours('<｜tool▁sep｜>');
    out.jsonText(argumentsText(call), callField(call)).ours('<｜tool▁call▁end｜>');
  }
  out.ours('<｜tool▁calls▁end｜>');
}

function writeV31Tools(out: Writer, tools: readonly Tool[]): void {
  out.ours('## Tools\nYou have access to the following tools:\n');
  for (const [at, tool] of tools.entries()) {
    out.ours('\n### ').outside(tool.name, `tools[${at}].name`);
    if (tool.description !== undefined) {
      out.ours('\nDescription: ').outside(tool.description, `tools[${at}].description`);
    }
    const parameters = memberOf(toolFunction(tool), 'parameters') ?? {};
    out.ours('\n\nParameters: ').json(parameters, `tools[${at}].parameters`).ours('\n');
  }
  out.ours(`
IMPORTANT: ALWAYS adhere to this exact format for tool use:
<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>tool_call_name<｜tool▁sep｜>tool_call_arguments<｜tool▁call▁end｜>{{additional_tool_calls}}<｜tool▁calls▁end｜>

Where:

- \`tool_call_name\` must be an exact match to one of the available tools
- \`tool_call_arguments\` must be valid JSON that strictly follows the tool's Parameters Schema
- For multiple tool calls, chain them directly without separators or spaces
`);
}
