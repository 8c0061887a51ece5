// Writes the prompt of Muse Glimmer, as its chat template does.
//
//   <|begin_of_text|><|start|>system<|message|>Be brief.\n\nReasoning strength: high.\n\n… functions …\n\n
//   # Valid recipients: "self", "get_weather.*", "user".<|eot|>
//   <|start|>user<|message|>Weather?<|eot|><|start|>assistant to=self<|message|>I look.<|eom|>
//   <|start|>assistant to=get_weather<|message|><atem:function_calls>…</atem:function_calls><|eot|>
//   <|start|>tool get_weather<|message|><tool_output name="get_weather">\n22\n</tool_output><|eot|><|start|>assistant
//
// (All in one line.) Every system text is followed by the same words, and a conversation without one gets the
// vendor's. The `template` options are `current_date`, `knowledge_cutoff` and `reasoning_strength`; without a date none
// is written.
//
// One thing is not copied: the template drops a text before calls, which here is a message to the user.

import type { Render, RenderOptions, Writer } from '../../engine/dialect.js';
import { callField, callsOf, contentField, reasoningOf, textOf } from '../../engine/message-text.js';
import { resultsIn } from '../../families/declared/declared-results.js';
import { effortOption } from '../../families/writing/effort-words.js';
import { templateText, writeTurns } from '../../families/writing/prompt-parts.js';
import { memberOf, readToolLines, teaching, toolFunction } from '../../families/writing/tool-text.js';
import { all, any, many, type Spelling, text } from '../../grammar/spelling.js';
import type { AssistantMessage, Tool, ToolCall } from '../../model/index.js';

const NEXT = '<|start|>assistant';
const MESSAGE = '<|message|>';
const TURN_END = '<|eot|>';

const writeResults = resultsIn({
  each: `<|start|>tool {name}${MESSAGE}<tool_output name="{name}">\n{output}\n</tool_output>${TURN_END}`,
  between: '',
});

/** Makes the renderer. `writeBlock` writes one block of calls. */
export function museRender(writeBlock: Render['calls']): Render {
  return {
    instructions: teaching({
      example: `${NEXT} to=NAME${MESSAGE}<atem:function_calls>
<atem:invoke name="NAME">
<atem:parameter name="key">text</atem:parameter>
<atem:parameter name="count">2</atem:parameter>
</atem:invoke>
</atem:function_calls><|eom|>`,
      rules:
        'Strings and scalars are written as they are, lists and objects as JSON. Several calls: several messages.',
      result: `<|start|>tool NAME${MESSAGE}<tool_output name="NAME">...</tool_output>${TURN_END}`,
    }),
    calls: (out, calls, { tools, afterText }) =>
      writeCalls(out, calls, { writeBlock, tools, next: afterText, end: '<|eom|>' }),
    results: writeResults,
    prompt: musePrompt(writeBlock),
    effort: effortOption('reasoning_strength', ['low', 'medium', 'high', 'high']),
    stop: [TURN_END],
    back: { tools: readToolLines },
  };
}

/**
 * Gives the recipient of a call. A tool named `self` or `user` would be taken for one of these recipients, so its name
 * is doubled.
 */
const recipientOf = (name: string) => (name === 'self' || name === 'user' ? `${name}.${name}` : name);

interface Turn {
  /** Writes one block of calls. */
  writeBlock: Render['calls'];
  tools: readonly Tool[];
  /** Whether a message of the same answer came before. */
  next: boolean;
  /** The text after the last call. */
  end: string;
}

function writeCalls(out: Writer, calls: readonly ToolCall[], turn: Turn): void {
  const { writeBlock, tools, next, end } = turn;
  for (const [at, call] of calls.entries()) {
    out.ours(next || at > 0 ? `${NEXT} to=` : ' to=');
    out.outside(recipientOf(call.name), callField(call)).ours(MESSAGE);
    writeBlock(out, [call], { tools, afterText: false });
    out.ours(at < calls.length - 1 ? '<|eom|>' : end);
  }
}

/** Wraps each call of the block's own rules in its message. The last one may end with the turn, which the engine stops. */
export function museSpelling(block: Spelling): Spelling {
  const one = { from: 1, to: 1 };
  const perhaps = { from: 0, to: 1 };
  const openers = (name: string) => [' to=', 'to='].map((to) => text(to + recipientOf(name) + MESSAGE));
  const call = (tool: Tool) => all(many(any(...openers(tool.name)), perhaps), block.calls([tool], one));
  return {
    triggers: block.triggers,
    calls: (tools, howMany) =>
      all(many(any(...tools.map(call)), howMany, text(`<|eom|>${NEXT}`)), many(text('<|eom|>'), perhaps)),
  };
}

// --- the prompt ----------------------------------------------------------------------------------------

function musePrompt(writeBlock: Render['calls']): NonNullable<Render['prompt']> {
  return (out, { messages, tools }, options) => {
    out.ours('<|begin_of_text|>');
    if (!messages.some(({ role }) => role === 'system')) writeSystem(out, undefined, 0, tools, options);
    writeTurns(messages, 0, {
      text: (message, at) => {
        if (message.role === 'system') writeSystem(out, textOf(message), at, tools, options);
        else out.ours(`<|start|>user${MESSAGE}`).outside(textOf(message), contentField(at)).ours(TURN_END);
      },
      answer: (message, at) => {
        const end = messages[at + 1]?.role === 'assistant' ? '<|eom|>' : TURN_END;
        if (!out.ownWords(message, { options, begin: () => NEXT, keeps: true, plain: NEXT }))
          writeAssistant(out, message, at, end, writeBlock);
        else if (!out.wordsOf(message)?.text.endsWith('<|eom|>')) out.ours(end);
      },
      results: (results) => writeResults(out, results),
    });
    if (options.generate !== false) out.ours(NEXT);
  };
}

function writeAssistant(
  out: Writer,
  message: AssistantMessage,
  at: number,
  end: string,
  writeBlock: Render['calls'],
): void {
  const calls = callsOf(message);
  const text = textOf(message);
  const thought = reasoningOf(message) ?? '';
  const field = contentField(at);
  if (thought !== '') out.ours(`${NEXT} to=self${MESSAGE}`).outside(thought, field).ours('<|eom|>');
  if (calls.length === 0 || text !== '') {
    out.ours(`${NEXT} to=user${MESSAGE}`).outside(text, field);
    out.ours(calls.length > 0 ? '<|eom|>' : TURN_END);
  }
  writeCalls(out, calls, { writeBlock, tools: [], next: true, end });
}

// --- the system's turn ---------------------------------------------------------------------------------

const STRENGTH = 'reasoning strength';
const EFFORTS = ['Reasoning effort', 'Reasoning Effort', 'reasoning effort', 'REASONING EFFORT'];
const STRENGTHS = ['Reasoning strength', 'Reasoning Strength', STRENGTH, 'REASONING STRENGTH'];

/** Renames "reasoning effort" to "reasoning strength", the model's own term. */
const inItsWords = (text: string) =>
  EFFORTS.reduce((said, effort, at) => said.replaceAll(effort, STRENGTHS[at] as string), text);

function writeSystem(
  out: Writer,
  text: string | undefined,
  at: number,
  tools: readonly Tool[],
  { template = {} }: RenderOptions,
): void {
  const said = inItsWords(text ?? '');
  out.ours(`<|start|>system${MESSAGE}`);
  if (text === undefined) writeIdentity(out, template);
  else out.outside(said, contentField(at));
  if (!said.toLowerCase().includes(STRENGTH)) {
    const strength = templateText(template, 'reasoning_strength') || 'high';
    out.ours('\n\nReasoning strength: ').outside(strength, 'template.reasoning_strength').ours('.');
  }
  if (tools.length > 0) writeTools(out.ours('\n\n'), tools);
  writeRecipients(out.ours('\n\n'), tools);
  out.ours(TURN_END);
}

function writeIdentity(out: Writer, template: Record<string, unknown>): void {
  const cutoff = templateText(template, 'knowledge_cutoff') || '2026-01-04';
  const date = templateText(template, 'current_date');
  out.ours('You are a helpful AI assistant.\nKnowledge cutoff: ');
  out.outside(cutoff, 'template.knowledge_cutoff').ours('.');
  if (date) out.ours('\nCurrent date: ').outside(date, 'template.current_date').ours('.');
}

/** Lists the namespaces of the tools: the part of each name before its first dot. */
function namespacesOf(tools: readonly Tool[]): string[] {
  return [...new Set(tools.map(({ name }) => name.split('.', 1)[0] ?? ''))];
}

function writeRecipients(out: Writer, tools: readonly Tool[]): void {
  out.ours('# Valid recipients: "self", ');
  for (const name of namespacesOf(tools)) out.ours('"').outside(name, 'tools').ours('.*", ');
  out.ours('"user".');
}

function writeTools(out: Writer, tools: readonly Tool[]): void {
  out.ours(BEFORE);
  for (const name of namespacesOf(tools)) out.json({ name, description: '' }, 'tools').ours('\n');
  out.ours('// Function schemas');
  for (const [at, tool] of tools.entries()) {
    const definition = toolFunction(tool);
    const said = (key: string) => memberOf(definition, key) ?? '';
    const parameters = memberOf(definition, 'parameters') ?? {};
    const shown = { name: tool.name, description: said('description'), parameters };
    out.ours('\n').json(shown, `tools[${at}]`);
  }
  out.ours(BEHIND);
}

const BEFORE = `In this environment you have access to a set of tools you can use to answer the user's question.

You can invoke a function by writing a "<atem:function_calls>" block like the following:
<atem:function_calls>
<atem:invoke name="$FUNCTION_NAME">
<atem:parameter name="$PARAMETER_NAME">$PARAMETER_VALUE</atem:parameter>
...
</atem:invoke>
</atem:function_calls>

String and scalar parameters should be specified as is, while lists and objects should use JSON format. Note that spaces for string values are not stripped. The output is not expected to be valid XML and is parsed with regular expressions.
Here are the functions available in JSONSchema format:
// Tool metadata
`;

const BEHIND = `

Here's an example of how to call a function in the tool set:
(If the tool namespace is not specified, invoke the function directly as \`example_function_name\` rather than \`example_tool_name.example_function_name\`)

to=example_tool_name.example_function_name

<atem:function_calls>
<atem:invoke name="example_tool_name.example_function_name">
<atem:parameter name="example_parameter_1">value_1</atem:parameter>
<atem:parameter name="example_parameter_2">This is the value for the second parameter
that can span
"multiple" lines
</atem:parameter>
</atem:invoke>
</atem:function_calls>`;
