// Writes the prompt of Qwen3-Coder: ChatML turns, definitions and calls in tags.
//
//   <tool_call>\n<function=get_weather>\n<parameter=location>\nBeijing\n</parameter>\n</function>\n</tool_call>
//
// The template prints scalars as Python does (`True`, `None`), in definitions and in calls. It has no reasoning:
// with the option `reasoning` that of a tool loop is written as the templates of Qwen3.5 do, whose calls are the same. If
// the first message is a result, its turn is opened here; the template forgets to.

import type { Render, RenderOptions, Writer } from '../../engine/dialect.js';
import { defineMarkers } from '../../engine/markers.js';
import {
  callField,
  callsOf,
  contentField,
  lastIndexOf,
  reasoningOf,
  textOf,
} from '../../engine/message-text.js';
import {
  type Asked,
  argumentsJson,
  argumentsOf,
  declaredTypes,
  readsAsString,
  tagsHoldKeys,
  tagsHoldValues,
} from '../../families/writing/call-arguments.js';
import {
  chatmlStop,
  chatmlTokens,
  chatmlTurns,
  END,
  START,
  writeResponses,
  writeSystem,
  writeTextTurn,
  writeToolTurn,
} from '../../families/writing/chatml.js';
import { strip, toPythonText } from '../../families/writing/python-text.js';
import {
  isRecord,
  memberOf,
  membersOf,
  readToolLines,
  teaching,
  toolFunction,
} from '../../families/writing/tool-text.js';
import {
  type AssistantMessage,
  type Conversation,
  type ExactValue,
  stringifyJson,
  type Tool,
  type ToolCall,
} from '../../model/index.js';
import { readTaggedTools } from './read-tools.js';

export const qwen3CoderTokens = [
  ...chatmlTokens,
  '<function=',
  '</function>',
  '<parameter=',
  '</parameter>',
] as const;

/** The markers in definitions: also their own tags, which are plain words in other text. */
const definitionMarkers = defineMarkers([
  ...qwen3CoderTokens,
  ...['function', 'name', 'description', 'parameters', 'parameter', 'type'].flatMap((tag) =>
    tag === 'function' || tag === 'parameter' ? [`<${tag}>`] : [`<${tag}>`, `</${tag}>`],
  ),
]);

const DEFAULT_SYSTEM =
  'You are Qwen, a helpful AI assistant that can interact with a computer to solve tasks.';

export const qwen3CoderRender: Render = {
  instructions: teaching(
    {
      example: `<tool_call>
<function=NAME>
<parameter=key>
text
</parameter>
<parameter=count>
2
</parameter>
</function>
</tool_call>`,
      rules:
        'Write one parameter for each argument, if any, its value on lines of its own: strings as they are, without ' +
        'quotes or escapes, all other values as JSON. For several calls write several such blocks.',
      result: '<tool_response>...</tool_response>',
    },
    writeTools,
  ),
  calls: (out, calls, { tools, afterText }) => writeCalls(out.ours(afterText ? '\n\n' : ''), calls, tools),
  results: writeResponses,
  prompt: writePrompt,
  stop: chatmlStop,
  back: {
    turns: chatmlTurns,
    tools: (text, { short }) => (short ? readToolLines(text) : readTaggedTools(text, definitionMarkers)),
  },
};

// --- the prompt ----------------------------------------------------------------------------------------

function writePrompt(out: Writer, { messages, tools }: Conversation, options: RenderOptions): void {
  writeSystem(out, messages[0], tools, writeTools, DEFAULT_SYSTEM);
  const lastUser = lastIndexOf(messages, 'user');
  for (const [at, message] of messages.entries()) {
    if (message.role === 'tool') writeToolTurn(out, messages, at, message.parts, ['', '\n']);
    else if (message.role === 'assistant' && writeOwnTurn(out, message, options, at > lastUser))
      out.ours(END);
    else if (message.role === 'assistant' && callsOf(message).length > 0) {
      writeCallTurn(out, message, at, options.reasoning === true && at > lastUser);
    } else if (message.role !== 'system' || at > 0) writeTextTurn(out, message, at);
  }
  if (options.generate !== false) out.ours(`${START}assistant\n`);
}

/** Writes a turn as the model wrote it. Reasoning is kept in a tool loop. */
function writeOwnTurn(
  out: Writer,
  message: AssistantMessage,
  options: RenderOptions,
  keeps: boolean,
): boolean {
  const plain = `${START}assistant\n`;
  return out.ownWords(message, { options, begin: () => plain, keeps, plain });
}

function writeCallTurn(out: Writer, message: AssistantMessage, at: number, keeps: boolean): void {
  const text = strip(textOf(message));
  const thought = keeps ? strip(reasoningOf(message) ?? '') : '';
  out.ours(`${START}assistant\n`);
  if (thought !== '') out.ours('<think>\n').outside(thought, contentField(at)).ours('\n</think>\n\n');
  if (text !== '') out.outside(text, contentField(at)).ours('\n\n');
  writeCalls(out, callsOf(message));
  out.ours(END);
}

// --- calls ---------------------------------------------------------------------------------------------

function writeCalls(out: Writer, calls: readonly ToolCall[], tools?: Asked): void {
  for (const [at, call] of calls.entries()) {
    if (at > 0) out.ours('\n');
    writeCall(out, call, tools);
  }
}

function writeCall(out: Writer, call: ToolCall, tools: Asked): void {
  const args = argumentsOf(call);
  const field = callField(call);
  out.ours('<tool_call>\n<function=').outside(call.name, field).ours('>\n');
  if (!tagsHoldKeys(out, args) || !tagsHoldValues(out, call, args, tools)) {
    out.jsonText(argumentsJson(args), field).ours('\n</function>\n</tool_call>');
    return;
  }
  for (const { key, value } of args) {
    out.ours('<parameter=').outside(key, field).ours('>\n');
    if (typeof value === 'string') out.outside(value, field);
    else if (isPythonWord(out, call, key, value, tools)) out.outside(toPythonText(value), field);
    else out.json(value, field);
    out.ours('\n</parameter>\n');
  }
  out.ours('</function>\n</tool_call>');
}

/**
 * Whether the value is written as True, False or None, as the template does. A reader that may take a string takes
 * these words for strings, so where the schema allows strings, JSON's words are written.
 */
function isPythonWord(out: Writer, call: ToolCall, key: string, value: ExactValue, tools: Asked): boolean {
  if (value !== null && typeof value !== 'boolean') return false;
  if (out.safety === 'exact' || !tools?.length) return true;
  return !readsAsString(toPythonText(value), declaredTypes(call, key, tools));
}

/** Whether the template prints the value with str(); it prints lists and objects as JSON. */
function isScalar(value: ExactValue): boolean {
  return !(Array.isArray(value) || isRecord(value));
}

// --- definitions ---------------------------------------------------------------------------------------

function writeTools(out: Writer, tools: readonly Tool[]): void {
  out.ours('# Tools\n\nYou have access to the following functions:\n\n<tools>');
  for (const [at, tool] of tools.entries())
    writeTool(new Definition(out, `tools[${at}]`), toolFunction(tool));
  out.ours(`
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
- Function calls MUST follow the specified format: an inner <function=...></function> block must be nested within <tool_call></tool_call> XML tags
- Required parameters MUST be specified
- You may provide optional reasoning for your function call in natural language BEFORE the function call, but NOT after
- If there is no function call available, answer the question like normal with your current knowledge and do not tell the user about function calls
</IMPORTANT>`);
}

function writeTool(out: Definition, tool: ExactValue): void {
  const parameters = memberOf(tool, 'parameters');
  out.open('function').element('name', memberOf(tool, 'name'));
  out.trimmed('description', memberOf(tool, 'description')).open('parameters');
  for (const [name, fields] of membersOf(memberOf(parameters, 'properties'))) {
    out.open('parameter').element('name', name).element('type', memberOf(fields, 'type'));
    out.trimmed('description', memberOf(fields, 'description'));
    out.others(fields, ['name', 'type', 'description']).close('parameter');
  }
  out.others(parameters, ['type', 'properties']).close('parameters');
  out.others(tool, ['type', 'name', 'description', 'parameters']).close('function');
}

/** Writes the tags of one definition, each on a line of its own. Names of tags may come from outside, too. */
class Definition {
  constructor(
    readonly out: Writer,
    readonly field: string,
  ) {}

  open(tag: string): this {
    this.out.ours(`\n<${tag}>`);
    return this;
  }

  close(tag: string): this {
    this.out.ours(`\n</${tag}>`);
    return this;
  }

  element(tag: string, value: ExactValue | undefined): this {
    if (value === undefined || value === null) return this;
    this.open(tag).#outside(toPythonText(value));
    this.out.ours(`</${tag}>`);
    return this;
  }

  trimmed(tag: string, value: ExactValue | undefined): this {
    return this.element(tag, typeof value === 'string' ? strip(value) : value);
  }

  /** Writes members without a tag of the template's as `<key>value</key>`; key and value come from outside. */
  others(value: ExactValue | undefined, known: readonly string[]): this {
    for (const [key, member] of membersOf(value)) {
      if (known.includes(key)) continue;
      this.out.ours('\n');
      if (isScalar(member)) this.#outside(`<${key}>${toPythonText(member)}</${key}>`);
      else {
        this.#outside(`<${key}>`);
        this.out.jsonText(stringifyJson(member, 'python'), this.field, definitionMarkers);
        this.#outside(`</${key}>`);
      }
    }
    return this;
  }

  #outside(text: string): void {
    this.out.outside(text, this.field, definitionMarkers);
  }
}
