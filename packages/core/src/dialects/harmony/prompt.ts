// Writes the prompt of gpt-oss, as its chat template does.
//
//   <|start|>system<|message|>You are ChatGPT, … Reasoning: medium\n\n# Valid channels: …<|end|>
//   <|start|>developer<|message|># Instructions\n\nBe brief.\n\n# Tools\n\n## functions\n\nnamespace functions {…<|end|>
//   <|start|>user<|message|>Weather?<|end|><|start|>assistant<|channel|>analysis<|message|>I look.<|end|>
//   <|start|>assistant to=functions.f<|channel|>commentary json<|message|>{…}<|call|>
//   <|start|>functions.f to=assistant<|channel|>commentary<|message|>"…"<|end|><|start|>assistant
//
// Calls are spelled here as the template does, not as the model writes them: the recipient is in the role. Reasoning is
// kept only before calls that no final answer has followed.
//
// Three things are not copied. The template writes one call a turn and drops the others. It takes a text before a call
// for reasoning, and refuses one beside reasoning: here it is in the commentary. And it has a clock: here
// `template.current_date` gives the date, and without it there is none. `model_identity` and `reasoning_effort` are
// options, too; the vendor's built-in tools are left out.

import type { Render, RenderOptions, Writer } from '../../engine/dialect.js';
import { callField, callsOf, contentField, reasoningOf, textOf } from '../../engine/message-text.js';
import { resultsIn } from '../../families/declared/declared-results.js';
import { argumentsText } from '../../families/writing/call-arguments.js';
import { effortOption } from '../../families/writing/effort-words.js';
import { leadingSystem, templateText, writeTurns } from '../../families/writing/prompt-parts.js';
import { readToolLines, teaching } from '../../families/writing/tool-text.js';
import { writeTypeScriptTools } from '../../families/writing/typescript-tools.js';
import { all, any, argumentsValue, many, type Rule, type Spelling, text } from '../../grammar/spelling.js';
import type { AssistantMessage, Conversation, Message, Tool, ToolCall } from '../../model/index.js';

const END = '<|end|>';
const NEXT = '<|start|>assistant';
const RECIPIENT = ' to=functions.';
const OPEN = `<|channel|>commentary${RECIPIENT}`;
const BODY = ' <|constrain|>json<|message|>';
const CLOSE = '<|call|>';
const channel = (name: string) => `${NEXT}<|channel|>${name}<|message|>`;

/** Writes `open`, the name, `body` and the arguments. */
function writeCall(out: Writer, call: ToolCall, open: string, body: string): void {
  const field = callField(call);
  out.ours(open).outside(call.name, field).ours(body).jsonText(argumentsText(call), field).ours(CLOSE);
}

const writeResults = resultsIn({
  each: '<|start|>functions.{name} to=assistant<|channel|>commentary<|message|>{output:json}<|end|>',
  between: '',
});

export const harmonyRender: Render = {
  instructions: teaching({
    example: `${OPEN}NAME${BODY}{"key": "text", "count": 2}${CLOSE}`,
    rules: `The arguments are one JSON object. For several calls, write several, each behind ${NEXT}.`,
    result: '<|start|>functions.NAME to=assistant<|channel|>commentary<|message|>...<|end|>',
  }),
  // The prompt already wrote `<|start|>assistant` for the first message; every later one needs its own.
  calls: (out, calls, { afterText }) => {
    for (const [at, call] of calls.entries())
      writeCall(out, call, (afterText || at > 0 ? NEXT : '') + OPEN, BODY);
  },
  results: writeResults,
  prompt: writePrompt,
  effort: effortOption('reasoning_effort', ['low', 'medium', 'high', 'high']),
  stop: ['<|return|>', CLOSE],
  back: { tools: readToolLines },
};

/** Markers that no string of a sampled call may contain. */
const TOKENS = ['<|start|>', '<|channel|>', '<|constrain|>', '<|message|>', CLOSE, END, '<|return|>'];

/**
 * The recipient behind the channel, or behind the role as the turns of the prompt have it. Models write both. The last
 * closer may be missing: it ends a turn, and samplers that are held refuse a token that ends it as a part of the text.
 */
export const harmonySpelling: Spelling = {
  triggers: [OPEN, NEXT + RECIPIENT],
  lead: NEXT,
  // Behind the role with which the prompt or the reasoning ends.
  beginnings: () => [RECIPIENT],
  calls: (tools, howMany) =>
    all(
      many(any(...tools.flatMap(callRules)), howMany, text(CLOSE + NEXT)),
      many(text(CLOSE), { from: 0, to: 1 }),
    ),
};

function callRules(tool: Tool): Rule[] {
  const value = argumentsValue(tool, { type: 'json', without: TOKENS });
  const behindRole = `${RECIPIENT}${tool.name}<|channel|>commentary json<|message|>`;
  return [OPEN + tool.name + BODY, behindRole].map((open) => all(text(open), value));
}

// --- the prompt ----------------------------------------------------------------------------------------

function writePrompt(out: Writer, { messages, tools }: Conversation, options: RenderOptions): void {
  const { text, rest } = leadingSystem(messages);
  writeSystem(out, tools.length > 0, options);
  if (text !== '' || tools.length > 0) writeDeveloper(out, text, tools);
  const lastFinal = messages.findLastIndex(isFinal);
  writeTurns(messages, rest, {
    text: (message, at) => {
      const isSystem = message.role === 'system';
      out.ours(`<|start|>${isSystem ? 'developer<|message|># Instructions\n\n' : 'user<|message|>'}`);
      out.outside(textOf(message), contentField(at)).ours(isSystem ? `\n\n${END}` : END);
    },
    answer: (message, at) => {
      const isLast = at === messages.length - 1 && options.generate === false;
      const keeps = at > lastFinal || isLast;
      if (out.ownWords(message, { options, begin: () => NEXT, keeps, plain: NEXT }))
        out.ours(endOf(message, isLast));
      else writeAssistant(out, message, at, keeps, isLast);
    },
    results: (results) => writeResults(out, results),
  });
  if (options.generate !== false) out.ours(NEXT);
}

/** Gives the token that ends a turn that the model wrote, without the one at which it stopped. */
function endOf(message: AssistantMessage, isLast: boolean): string {
  if (callsOf(message).length > 0) return CLOSE;
  return isLast ? '<|return|>' : END;
}

const isFinal = (message: Message) => message.role === 'assistant' && callsOf(message).length === 0;

function writeSystem(out: Writer, hasTools: boolean, { template = {} }: RenderOptions): void {
  const identity = 'You are ChatGPT, a large language model trained by OpenAI.';
  const field = 'template.model_identity';
  out.ours('<|start|>system<|message|>').outside(templateText(template, 'model_identity') ?? identity, field);
  out.ours('\nKnowledge cutoff: 2024-06\n');
  const date = templateText(template, 'current_date');
  if (date !== undefined) out.ours('Current date: ').outside(date, 'template.current_date').ours('\n');
  out.ours('\nReasoning: ');
  out.outside(templateText(template, 'reasoning_effort') ?? 'medium', 'template.reasoning_effort');
  out.ours('\n\n# Valid channels: analysis, commentary, final. Channel must be included for every message.');
  if (hasTools) out.ours("\nCalls to these tools must go to the commentary channel: 'functions'.");
  out.ours(END);
}

function writeDeveloper(out: Writer, text: string, tools: readonly Tool[]): void {
  out.ours('<|start|>developer<|message|>');
  if (text !== '') out.ours('# Instructions\n\n').outside(text, contentField(0)).ours('\n\n');
  if (tools.length > 0) {
    out.ours('# Tools\n\n## functions\n\nnamespace functions {\n\n');
    writeTypeScriptTools(out, tools, { last: ',\n', behind: '\n\n', between: '' });
    out.ours('} // namespace functions');
  }
  out.ours(END);
}

function writeAssistant(
  out: Writer,
  message: AssistantMessage,
  at: number,
  keep: boolean,
  isLast: boolean,
): void {
  const field = contentField(at);
  const calls = callsOf(message);
  const text = textOf(message);
  const thought = reasoningOf(message) ?? '';
  if (keep && thought !== '') out.ours(channel('analysis')).outside(thought, field).ours(END);
  if (calls.length === 0) {
    out
      .ours(channel('final'))
      .outside(text, field)
      .ours(isLast ? '<|return|>' : END);
  } else if (text !== '') out.ours(channel('commentary')).outside(text, field).ours(END);
  for (const call of calls) writeCall(out, call, NEXT + RECIPIENT, '<|channel|>commentary json<|message|>');
}
