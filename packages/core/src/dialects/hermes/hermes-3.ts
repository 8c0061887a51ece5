// The prompt of Hermes 2 Pro and Hermes 3 with tools: the tools in a first turn of their own, each with a signature as
// Python writes it, and results in turns of the tool.
//
//   <tools> {"type": "function", "function": {"name": "f", "description": "f(a: str) - Does it\n\n    Args:\n        a(str): …
//
// Here text beside calls is kept, which the template drops. It writes one more line break behind results when the
// conversation goes on: that would change a prompt that the model has read, so it is never written here.

import type { PromptVariant, Writer } from '../../engine/dialect.js';
import { chatmlFrames } from '../../families/writing/chatml.js';
import { strip } from '../../families/writing/python-text.js';
import { isRecord, memberOf, membersOf, toolFunction } from '../../families/writing/tool-text.js';
import { type TurnLayout, toolsSection, turnPrompt } from '../../families/writing/turn-prompt.js';
import type { ExactValue, Tool } from '../../model/index.js';
import { qwenTurns } from './prompt.js';

const BEGIN = '<|begin_of_text|>';

const hermes3Turns: TurnLayout = {
  ...qwenTurns,
  begin: BEGIN,
  lead: ({ tools }) => [toolsSection(writeTools, tools)],
  ownSystem: true,
  results: {
    open: chatmlFrames.open('tool'),
    each: '<tool_response>\n{output}\n</tool_response>',
    between: '\n',
    close: '<|im_end|>',
  },
};

function writeTools(out: Writer, tools: readonly Tool[]): void {
  out.ours(
    "You are a function calling AI model. You are provided with function signatures within <tools></tools> XML tags. You may call one or more functions to assist with the user query. Don't make assumptions about what values to plug into functions. Here are the available tools: <tools> ",
  );
  for (const [at, tool] of tools.entries()) writeTool(out.ours(at > 0 ? '\n' : ''), tool, `tools[${at}]`);
  out.ours(` </tools>Use the following pydantic model json schema for each tool call you will make: {"properties": {"name": {"title": "Name", "type": "string"}, "arguments": {"title": "Arguments", "type": "object"}}, "required": ["name", "arguments"], "title": "FunctionCall", "type": "object"}}
For each function call return a json object with function name and arguments within <tool_call></tool_call> XML tags as follows:
<tool_call>
{"name": <function-name>, "arguments": <args-dict>}
</tool_call>`);
}

/** Writes a definition as the template does: the description is not escaped, and the last brace is missing. */
function writeTool(out: Writer, tool: Tool, field: string): void {
  const { name: called, description = '' } = tool;
  const parameters = memberOf(toolFunction(tool), 'parameters');
  const properties = membersOf(memberOf(parameters, 'properties'));
  const signature = properties.map(([name, schema]) => `${name}: ${pythonType(schema)}`).join(', ');
  out.ours('{"type": "function", "function": {"name": "').outside(called, field);
  out.ours('", "description": "').outside(`${called}(${signature}) - ${description}\n\n`, field);
  if (properties.length > 0) out.ours('    Args:\n');
  for (const [name, schema] of properties) {
    const about = memberOf(schema, 'description');
    const text = typeof about === 'string' ? strip(about) : '';
    out.outside(`        ${name}(${pythonType(schema)}): ${text}`, field);
  }
  out.ours('", "parameters": ');
  if (properties.length === 0) out.ours('{}');
  else out.json(parameters ?? {}, field);
  out.ours('}');
}

const types: Readonly<Record<string, string>> = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  // The template looks for the type of the elements in the wrong place.
  array: 'list[Union[]]',
};

function pythonType(schema: ExactValue): string {
  const type = memberOf(schema, 'type');
  if (Array.isArray(type)) return `Union[${type.map((one) => pythonType({ type: one })).join(',')}]`;
  if (type === 'object') {
    const rest = memberOf(schema, 'additionalProperties');
    return rest === undefined ? 'dict' : `dict[str, ${isRecord(rest) ? pythonType(rest) : 'Union[]'}]`;
  }
  if (type === undefined) return 'Union[]';
  return (typeof type === 'string' && Object.hasOwn(types, type) ? types[type] : undefined) ?? 'Any';
}

export const hermes3: PromptVariant = {
  name: 'hermes-3',
  models: ['Hermes 3', 'Hermes 2 Pro Llama'],
  prompt: turnPrompt(hermes3Turns),
};
