// Writes the prompt of GLM, as its chat templates do. The versions differ in line breaks and in what they write
// without reasoning:
//
//   4.5   <|user|>\nHi<|assistant|>\n<think></think>\nText\n<tool_call>f\n<arg_key>k</arg_key>\n<arg_value>v…
//   4.7   <|user|>Hi<|assistant|></think>Text<tool_call>f<arg_key>k</arg_key><arg_value>v…
//
// Two faults of the templates are not copied: `null` content is empty, and arguments may be a JSON string.

import type { Render, RenderOptions, TurnToken, Writer } from '../../engine/dialect.js';
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
import { toolsIn } from '../../families/declared/tools-text.js';
import {
  type Asked,
  argumentsJson,
  argumentsOf,
  tagsHoldKeys,
  tagsHoldValues,
} from '../../families/writing/call-arguments.js';
import { splitThinking, strip } from '../../families/writing/python-text.js';
import { readToolLines, SIGNATURES, teaching, type WriteTools } from '../../families/writing/tool-text.js';
import type { AssistantMessage, Conversation, Message, ToolCall } from '../../model/index.js';

export interface GlmLayout {
  /** The line break after role tokens and between the tags of a call. */
  line: '\n' | '';
  /** Written in a turn without reasoning, and as the opening of an answer that must not reason. */
  noReasoning: string;
  /** The opening of an answer that must reason. */
  opening: string;
  /** Written after user text when thinking is off. */
  noThinking: string;
  /** `clear_thinking: false` keeps the reasoning of all turns. */
  canKeepReasoning: boolean;
}

export const glm45Layout: GlmLayout = {
  line: '\n',
  noReasoning: '<think></think>',
  opening: '',
  noThinking: '/nothink',
  canKeepReasoning: false,
};

export const glm47Layout: GlmLayout = {
  line: '',
  noReasoning: '</think>',
  opening: '<think>',
  noThinking: '',
  canKeepReasoning: true,
};

/** All markers in a prompt of GLM. `/nothink` is a word that users write and is left alone. */
export const glmTokens: readonly string[] = (
  '[gMASK] [sMASK] [MASK] <sop> <eop> <|endoftext|> <|system|> <|user|> <|assistant|> <|observation|> <|reminder|> ' +
  '<|begin_of_ <|end_of_ <|image|> <|video|> <|code_ <think> </think> <tools> </tools> <tool_call> </tool_call> ' +
  '<arg_key> </arg_key> <arg_value> </arg_value> <tool_response> </tool_response>'
).split(' ');

export function glmRender(layout: GlmLayout): Render {
  return {
    instructions: teaching(shortForm(layout), toolsOf(layout)),
    calls: (out, calls, context) => writeCalls(out, calls, context, layout),
    results: resultsOf(layout),
    prompt: (out, conversation, options) => writePrompt(out, conversation, options, layout),
    stop: ['<|endoftext|>', '<|user|>', '<|observation|>'],
    lastEnd: ['<|user|>', '<|observation|>'],
    back: {
      turns: turnsOf(layout),
      tools: readToolLines,
      ...(layout.canKeepReasoning && { templates: [{ clear_thinking: false }] }),
    },
  };
}

/**
 * Gives the tokens of turns: without a line break, and in 4.5 also with one. The opening of an answer, and the tools'
 * turn in 4.7, have other line breaks than all other turns.
 */
function turnsOf({ line }: GlmLayout): TurnToken[] {
  const tokens = (['system', 'user', 'assistant'] as const).map((role) => ({ token: `<|${role}|>`, role }));
  const all: TurnToken[] = [...tokens, { token: '<|observation|>', role: 'tool' }];
  const broken = line === '' ? [] : all.map((one) => ({ ...one, token: one.token + line }));
  return [{ token: '[gMASK]<sop>' }, ...broken, ...all];
}

// --- the prompt ----------------------------------------------------------------------------------------

function writePrompt(
  out: Writer,
  conversation: Conversation,
  options: RenderOptions,
  layout: GlmLayout,
): void {
  const { messages, tools } = conversation;
  const thinking = options.thinking !== false;
  out.ours('[gMASK]<sop>');
  if (tools.length > 0) toolsOf(layout)(out.ours('<|system|>\n'), tools);
  const keepsAll = layout.canKeepReasoning && options.template?.clear_thinking === false;
  const keepFrom = keepsAll ? 0 : lastIndexOf(messages, 'user');
  for (const [at, message] of messages.entries()) {
    if (message.role === 'assistant') {
      const keeps = at >= keepFrom;
      if (!out.ownWords(message, ownPlace(options, keeps, layout)))
        writeAssistant(out, message, at, keeps, layout);
    } else if (message.role === 'tool') {
      if (messages[at - 1]?.role !== 'tool') out.ours('<|observation|>');
      resultsOf(layout)(out.ours(layout.line), message.parts);
    } else writeText(out, message, at, thinking, layout);
  }
  if (options.generate !== false) out.ours(beginning(options, layout));
}

function beginning({ thinking }: RenderOptions, { opening, line, noReasoning }: GlmLayout): string {
  return `<|assistant|>${thinking === false ? line + noReasoning : opening}`;
}

function ownPlace(options: RenderOptions, keeps: boolean, layout: GlmLayout): TurnPlace {
  return {
    options,
    begin: (asked) => beginning(asked, layout),
    keeps,
    plain: `<|assistant|>${layout.line}${layout.noReasoning}${layout.line}`,
    opener: '<think>',
    closer: '</think>',
  };
}

function writeText(out: Writer, message: Message, at: number, thinking: boolean, layout: GlmLayout): void {
  const text = textOf(message);
  out.ours(`<|${message.role}|>${layout.line}`).outside(text, contentField(at));
  if (message.role !== 'user' || thinking) return;
  if (!text.endsWith('/nothink')) out.ours(layout.noThinking);
}

function writeAssistant(
  out: Writer,
  message: AssistantMessage,
  at: number,
  keep: boolean,
  layout: GlmLayout,
): void {
  const field = contentField(at);
  const given = reasoningOf(message);
  const said =
    given === undefined ? splitThinking(textOf(message)) : { reasoning: given, text: textOf(message) };
  out.ours('<|assistant|>').ours(layout.line);
  if (keep && said.reasoning !== '') {
    out.ours('<think>').outside(strip(said.reasoning), field).ours('</think>');
  } else out.ours(layout.noReasoning);
  const text = strip(said.text);
  if (text !== '') out.ours(layout.line).outside(text, field);
  writeCalls(out, callsOf(message), { afterText: true }, layout);
}

// --- its parts -----------------------------------------------------------------------------------------

function toolsOf({ line }: GlmLayout): WriteTools {
  const tags = [
    '<tool_call>{function-name}',
    '<arg_key>{arg-key-1}</arg_key>',
    '<arg_value>{arg-value-1}</arg_value>',
    '<arg_key>{arg-key-2}</arg_key>',
    '<arg_value>{arg-value-2}</arg_value>',
    '...',
    '</tool_call>',
  ];
  return toolsIn({
    text: `${SIGNATURES}

For each function call, output the function name and arguments within the following XML format:
${tags.join(line)}`,
    tools: 'openai',
  });
}

function writeCalls(
  out: Writer,
  calls: readonly ToolCall[],
  context: { tools?: Asked; afterText: boolean },
  layout: GlmLayout,
): void {
  for (const [at, call] of calls.entries()) {
    if (at > 0 || context.afterText) out.ours(layout.line);
    writeCall(out, call, context.tools, layout);
  }
}

function writeCall(out: Writer, call: ToolCall, tools: Asked, { line }: GlmLayout): void {
  const args = argumentsOf(call);
  const field = callField(call);
  out.ours('<tool_call>').outside(call.name, field);
  if (!tagsHoldKeys(out, args) || !tagsHoldValues(out, call, args, tools)) {
    out.ours('\n').jsonText(argumentsJson(args), field).ours('\n</tool_call>');
    return;
  }
  out.ours(line);
  for (const { key, value } of args) {
    out.ours('<arg_key>').outside(key, field).ours(`</arg_key>${line}<arg_value>`);
    if (typeof value === 'string') out.outside(value, field);
    else out.json(value, field);
    out.ours(`</arg_value>${line}`);
  }
  out.ours('</tool_call>');
}

function resultsOf({ line }: GlmLayout): ReturnType<typeof resultsIn> {
  return resultsIn({ each: `<tool_response>${line}{output}${line}</tool_response>`, between: line });
}

function shortForm({ line }: GlmLayout) {
  return {
    example: [
      '<tool_call>NAME',
      '<arg_key>key</arg_key>',
      '<arg_value>text</arg_value>',
      '<arg_key>count</arg_key>',
      '<arg_value>2</arg_value>',
      '</tool_call>',
    ].join(line),
    rules:
      'The name of the tool stands right behind <tool_call>, then a key and a value for each argument, if any. ' +
      'Strings are written as they are, without quotes or escapes, all other values as JSON. ' +
      'For several calls write several such blocks.',
    result: '<tool_response>...</tool_response>',
  };
}
