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

import type { RenderOptions, Writer } from '../../engine/dialect.js';
import { callField, callsOf, contentField, reasoningOf, textOf } from '../../engine/message-text.js';
import { argumentsText } from '../../families/writing/call-arguments.js';
import { leadingSystem, runOfResults, templateText } from '../../families/writing/prompt-parts.js';
import { writeTypeScriptTools } from '../../families/writing/typescript-tools.js';
import type { AssistantMessage, Conversation, Message, Tool, ToolCall } from '../../model/index.js';
import { writeHarmonyResult } from './render.js';

const END = '<|end|>';
const channel = (name: string) => `<|start|>assistant<|channel|>${name}<|message|>`;

export function writeHarmonyPrompt(out: Writer, conversation: Conversation, options: RenderOptions): void {
  const { messages, tools } = conversation;
  const { text, rest } = leadingSystem(messages);
  writeSystem(out, tools.length > 0, options);
  if (text !== '' || tools.length > 0) writeDeveloper(out, text, tools);
  const lastFinal = messages.findLastIndex(isFinal);
  for (let at = rest; at < messages.length; at++) {
    const message = messages[at] as Message;
    if (message.role === 'assistant') {
      const isLast = at === messages.length - 1 && options.generate === false;
      writeAssistant(out, message, at, at > lastFinal || isLast, isLast);
    } else if (message.role === 'tool') {
      const { results, last } = runOfResults(messages, at);
      for (const result of results) writeHarmonyResult(out, result);
      at = last;
    } else if (message.role === 'system') {
      out.ours('<|start|>developer<|message|># Instructions\n\n').outside(textOf(message), contentField(at));
      out.ours(`\n\n${END}`);
    } else {
      out.ours('<|start|>user<|message|>').outside(textOf(message), contentField(at)).ours(END);
    }
  }
  if (options.generate !== false) out.ours('<|start|>assistant');
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
  for (const call of calls) writeCall(out, call);
}

function writeCall(out: Writer, call: ToolCall): void {
  const field = callField(call);
  out.ours('<|start|>assistant to=functions.').outside(call.name, field);
  out.ours('<|channel|>commentary json<|message|>').jsonText(argumentsText(call), field).ours('<|call|>');
}
