// Writes DSML as DeepSeek does, and the tool text that teaches it:
//
//   <｜DSML｜tool_calls>
//   <｜DSML｜invoke name="get_weather">
//   <｜DSML｜parameter name="location" string="true">Beijing</｜DSML｜parameter>
//   <｜DSML｜parameter name="days" string="false">2</｜DSML｜parameter>
//   </｜DSML｜invoke>
//   </｜DSML｜tool_calls>
//
// The attribute carries the type, so values need no schema. A call without arguments has an empty line.

import type { TaggedSampling } from '../../engine/call-rules.js';
import type { Writer } from '../../engine/dialect.js';
import { callField, reasoningOf } from '../../engine/message-text.js';
import { toolsIn } from '../../families/declared/tools-text.js';
import {
  type Argument,
  type Asked,
  argumentsJson,
  argumentsOf,
  looksWrapped,
  tagsHoldKeys,
} from '../../families/writing/call-arguments.js';
import type { ShortForm, WriteTools } from '../../families/writing/tool-text.js';
import type { AssistantMessage, ToolCall } from '../../model/index.js';

export interface DsmlSpelling {
  /** The name of the wrapper. */
  block: string;
  /** The text before every name of a tag. */
  space: '' | ' ';
}

export const V32: DsmlSpelling = { block: 'function_calls', space: '' };
export const V4: DsmlSpelling = { block: 'tool_calls', space: '' };
export const V41: DsmlSpelling = { block: 'calls', space: ' ' };

/** Gives the written form of the calls, for a sampler. */
export function dsmlCalls({ block, space }: DsmlSpelling): TaggedSampling {
  const tag = `｜DSML｜${space}`;
  return {
    family: 'tags',
    block: { open: `<${tag}${block}>`, close: `</${tag}${block}>` },
    call: { open: `<${tag}invoke name="{name}">`, close: `</${tag}invoke>` },
    argument: { open: `<${tag}parameter name="{key}"`, close: `</${tag}parameter>` },
    layout: { block: '\n', call: '\n', argument: '\n', behind: '\n' },
    typed: true,
    emptyLine: true,
  };
}

export const BOS = '<｜begin▁of▁sentence｜>';
export const EOS = '<｜end▁of▁sentence｜>';

/**
 * All markers in a DeepSeek prompt, of any version. Tokens with ASCII bars are what proxies make of the real ones. The
 * tokenizers have hundreds more, such as <｜search▁begin｜>: `<｜` stands for them all, since no other text has it.
 */
export const deepseekTokens: readonly string[] = [
  BOS,
  EOS,
  ...(
    '<｜User｜> <｜Assistant｜> <｜System｜> <｜latest_reminder｜> <｜tool▁calls▁begin｜> <｜tool▁calls▁end｜> ' +
    '<｜tool▁call▁begin｜> <｜tool▁call▁end｜> <｜tool▁sep｜> <｜tool▁outputs▁begin｜> <｜tool▁outputs▁end｜> ' +
    '<｜tool▁output▁begin｜> <｜tool▁output▁end｜> <｜ <|EOT|> <|begin▁of▁sentence|> <|end▁of▁sentence|> <|User|> ' +
    '<|Assistant|> <|System|> <｜DSML｜ </｜DSML｜ <dsml: </dsml: <think> </think>'
  ).split(' '),
];

/** V3.2 with the frames of its definitions and results, which are plain words in other versions. */
export const deepseekV32Tokens: readonly string[] = [
  ...deepseekTokens,
  ...'<functions> </functions> <function_results> </function_results> <result> </result>'.split(' '),
];

/** V4 and V4.1 with the frames of their results. */
export const deepseekV4Tokens: readonly string[] = [...deepseekTokens, '<tool_result>', '</tool_result>'];

// --- calls ---------------------------------------------------------------------------------------------

export function writeDsmlCalls(
  out: Writer,
  calls: readonly ToolCall[],
  spelling: DsmlSpelling,
  tools?: Asked,
): void {
  if (calls.length === 0) return;
  out.ours(`<｜DSML｜${spelling.space}${spelling.block}>\n`);
  for (const call of calls) writeInvoke(out, call, spelling, tools);
  out.ours(`</｜DSML｜${spelling.space}${spelling.block}>`);
}

function writeInvoke(out: Writer, call: ToolCall, { space }: DsmlSpelling, tools: Asked): void {
  const args = argumentsOf(call);
  const field = callField(call);
  out.ours(`<｜DSML｜${space}invoke name="`).outside(call.name, field).ours('">\n');
  if (!tagsHoldKeys(out, args) || looksWrapped(out, call, args, tools))
    out.jsonText(argumentsJson(args), field);
  else {
    for (const [at, argument] of args.entries()) {
      if (at > 0) out.ours('\n');
      writeParameter(out, argument, field, space);
    }
  }
  out.ours(`\n</｜DSML｜${space}invoke>\n`);
}

function writeParameter(out: Writer, { key, value }: Argument, field: string, space: string): void {
  const isString = typeof value === 'string';
  out.ours(`<｜DSML｜${space}parameter name="`).outside(key, field).ours(`" string="${isString}">`);
  if (isString) out.outside(value, field);
  else out.json(value, field);
  out.ours(`</｜DSML｜${space}parameter>`);
}

// --- the tool text -------------------------------------------------------------------------------------

/** Writes the tool text of V3.2. */
export const writeFunctionsText = toolsIn({
  text: `## Tools
You have access to a set of tools you can use to answer the user's question.
You can invoke functions by writing a "<｜DSML｜function_calls>" block like the following as part of your reply to the user:
<｜DSML｜function_calls>
<｜DSML｜invoke name="$FUNCTION_NAME">
<｜DSML｜parameter name="$PARAMETER_NAME" string="true|false">$PARAMETER_VALUE</｜DSML｜parameter>
...
</｜DSML｜invoke>
<｜DSML｜invoke name="$FUNCTION_NAME2">
...
</｜DSML｜invoke>
</｜DSML｜function_calls>
String and scalar parameters should be specified as is without any escaping or quotes, while lists and objects should use JSON format. The "string" attribute should be set to "true" for string type parameters and "false" for other types (numbers, booleans, arrays, objects).
If the thinking_mode is enabled, then after function results you should strongly consider outputting a thinking block. Here is an example:
<｜DSML｜function_calls>
...
</｜DSML｜function_calls>
<function_results>
...
</function_results>
<think>...thinking about results</think>
Here are the functions available in JSONSchema format:
<functions>
{tools}
</functions>
`,
});

/** Writes the tool text of V4 and V4.1. */
export function dsmlTools({ block, space }: DsmlSpelling): WriteTools {
  const tag = `｜DSML｜${space}`;
  return toolsIn({
    text: `## Tools

You have access to a set of tools to help answer the user's question. You can invoke tools by writing a "<${tag}${block}>" block like the following:

<${tag}${block}>
<${tag}invoke name="$TOOL_NAME">
<${tag}parameter name="$PARAMETER_NAME" string="true|false">$PARAMETER_VALUE</${tag}parameter>
...
</${tag}invoke>
<${tag}invoke name="$TOOL_NAME2">
...
</${tag}invoke>
</${tag}${block}>

String parameters should be specified as is and set \`string="true"\`. For all other types (numbers, booleans, arrays, objects), pass the value in JSON format and set \`string="false"\`.

If thinking_mode is enabled (triggered by <think>), you MUST output your complete reasoning inside <think>...</think> BEFORE any tool calls or final response.

Otherwise, output directly after </think> with tool calls or final response.

### Available Tool Schemas

{tools}

You MUST strictly follow the above defined tool name and parameter schemas to invoke tool calls.
`,
  });
}

export function dsmlShortForm({ block, space }: DsmlSpelling, result: string): ShortForm {
  const tag = `｜DSML｜${space}`;
  return {
    example: `<${tag}${block}>
<${tag}invoke name="NAME">
<${tag}parameter name="key" string="true">text</${tag}parameter>
<${tag}parameter name="count" string="false">2</${tag}parameter>
</${tag}invoke>
</${tag}${block}>`,
    rules:
      'Write one parameter for each argument, if any: strings as they are, without escapes, and string="true"; ' +
      'other values as JSON and string="false". For several calls write several invokes in one block.',
    result,
  };
}

/**
 * Writes a turn as the model wrote it, behind the thinking token that the prompt has written. Gives false, and writes
 * nothing, if that is not known.
 */
export function writeOwnTurn(out: Writer, message: AssistantMessage, thinks: boolean): boolean {
  const written = out.wordsOf(message);
  if (written?.body === undefined) return false;
  const { text, inside, body } = written;
  if (thinks && inside) out.ours(text);
  else if (thinks && reasoningOf(message)) return false;
  else out.ours(thinks ? '</think>' : '').ours(text.slice(body));
  out.ours(EOS);
  return true;
}
