// Writes the whole prompt of Seed-OSS: declared turns, and tools as signatures in Python.
//
//   Function:
//   def get_weather(location: str,days: int):
//       """
//       The weather of a place
//
//       Args:
//       - location (str) [必填]: A city
//       - days (int) [选填]:
//
//       """
//
// The vendor's template can also write a thinking budget; this one does not. Its system text, for tools without one, is
// written with the option `defaultSystem`.

import type { TurnsDeclaration } from '../../engine/declaration.js';
import type { Render, Writer } from '../../engine/dialect.js';
import { writeDeclaredPrompt } from '../../families/declared/declared-prompt.js';
import { strip } from '../../families/writing/python-text.js';
import { memberOf, membersOf, toolFunction } from '../../families/writing/tool-text.js';
import { copyWritten, type ExactValue, type Message, type Tool } from '../../model/index.js';

const DEFAULT_SYSTEM =
  'You are Doubao, a helpful AI assistant. You may call one or more functions to assist with the user query.';

const turns: TurnsDeclaration = {
  system: { open: '<seed:bos>system\n', close: '<seed:eos>' },
  user: { open: '<seed:bos>user\n', close: '<seed:eos>' },
  assistant: { open: '<seed:bos>assistant\n', close: '<seed:eos>' },
  results: { open: '<seed:bos>tool\n', close: '<seed:eos>', each: true },
  reasoning: { open: '<seed:think>', close: '</seed:think>\n' },
  generation: {},
};

export function seedOssPrompt(writeCalls: Render['calls']): NonNullable<Render['prompt']> {
  return (out, conversation, options) => {
    const { messages, tools } = conversation;
    const answered = { ...conversation, messages: messages.map(withTrimmedAnswer) };
    writeDeclaredPrompt(out, answered, options, {
      turns: tools.length > 0 ? { ...turns, defaultSystem: { text: DEFAULT_SYSTEM, asked: true } } : turns,
      declaration: {},
      results: { each: '{output}' },
      writeCalls,
      instructions: writeSignatures,
    });
  };
}

function withTrimmedAnswer(message: Message): Message {
  if (message.role !== 'assistant') return message;
  const parts = message.parts.map((part) =>
    part.type === 'text' || part.type === 'reasoning' ? { ...part, text: strip(part.text) } : part,
  );
  return copyWritten(message, { ...message, parts });
}

// --- the tools -----------------------------------------------------------------------------------------

const EXAMPLE = `
工具调用请遵循如下格式:
<seed:tool_call>
<function=example_function_name>
<parameter=example_parameter_1>value_1</parameter>
<parameter=example_parameter_2>This is the value for the second parameter
that can span
multiple lines</parameter>
</function>
</seed:tool_call>
`;

function writeSignatures(out: Writer, tools: readonly Tool[]): void {
  for (const [at, tool] of tools.entries())
    writeSignature(out.ours(at > 0 ? '\n\n' : ''), tool, `tools[${at}]`);
  out.ours(EXAMPLE);
}

function writeSignature(out: Writer, tool: Tool, field: string): void {
  const parameters = memberOf(toolFunction(tool), 'parameters');
  const properties = membersOf(memberOf(parameters, 'properties'));
  out.ours('Function:\ndef ').outside(tool.name, field).ours('(');
  for (const [at, [key, schema]] of properties.entries())
    out
      .ours(at > 0 ? ',' : '')
      .outside(key, field)
      .ours(`: ${pythonType(schema)}`);
  out
    .ours('):\n    """\n    ')
    .outside(strip(tool.description ?? ''), field)
    .ours('\n\n');
  if (properties.length > 0) out.ours('    Args:');
  for (const [key, schema] of properties) writeArgument(out, key, schema, parameters, field);
  out.ours('\n\n    """');
}

function writeArgument(
  out: Writer,
  key: string,
  schema: ExactValue,
  parameters: ExactValue | undefined,
  field: string,
): void {
  const required = memberOf(parameters, 'required');
  const isRequired = Array.isArray(required) && required.includes(key);
  const description = memberOf(schema, 'description');
  out.ours('\n    - ').outside(key, field);
  out.ours(` (${pythonType(schema)}) ${isRequired ? '[必填]' : '[选填]'}: `);
  if (typeof description === 'string') out.outside(description, field);
}

const PYTHON_TYPES: ReadonlyMap<unknown, string> = new Map([
  ['string', 'str'],
  ['number', 'int'],
  ['integer', 'int'],
  ['boolean', 'bool'],
  ['array', 'list'],
]);

function pythonType(schema: ExactValue): string {
  return PYTHON_TYPES.get(memberOf(schema, 'type')) ?? 'Any';
}
