// Writes the demo model's reply: calls, an answer that quotes results, or a sentence about itself; in the dialect of
// the tool instructions.

import { type Dialect, renderMessages, type Tool } from '@dragoman/core';
import { fillCalls } from './fill-input.js';
import { findThings } from './find-things.js';
import { choreIn, pickTool } from './pick-tool.js';
import type { DemoRequest } from './read-request.js';
import { introduce, quoteResults, sayingsIn } from './sayings.js';
import { speaksChinese } from './words.js';

interface DemoReply {
  thought: string;
  text: string;
  calls: { name: string; input: object }[];
}

/** `thinks`: a setting asked for reasoning. */
export function writeReply(request: DemoRequest, thinks: boolean): string {
  const { dialect } = request;
  const reply = replyTo(request);
  if (!dialect) return reply.text;
  const reasoning = thinks ? dialect.traits.reasoning : undefined;
  const thought = reasoning ? reasoning.open + reply.thought + reasoning.close : '';
  return thought + spell(reply, dialect, request);
}

function replyTo(request: DemoRequest): DemoReply {
  const { question, answered, required, tools } = request;
  const say = sayingsIn(speaksChinese(question) ? 'zh' : 'en');
  const answer = (text: string): DemoReply => ({ thought: say.thoughtOfAnswer, text, calls: [] });
  if (answered.length > 0 && required === undefined) return answer(quoteResults(say, answered));
  const chore = choreIn(question, findThings(question));
  const tool =
    tools.find(({ name }) => name === required) ??
    namedIn(question, tools) ??
    pickTool(tools, question, chore, required !== undefined);
  if (!tool) return answer(introduce(say, tools));
  const { inputs, guessed } = fillCalls(tool, request, chore);
  return {
    thought: say.thoughtOfCall(tool.name),
    text: guessed.length > 0 ? say.guessed(guessed) : '',
    calls: inputs.map((input) => ({ name: tool.name, input })),
  };
}

/** Finds a tool that the question mentions by its name. */
function namedIn(question: string, tools: readonly Tool[]): Tool | undefined {
  return tools.find(({ name }) => name.length > 3 && name.includes('_') && question.includes(name));
}

function spell({ text, calls }: DemoReply, dialect: Dialect, { lines, tools }: DemoRequest): string {
  // The number of the turn makes ids differ from those of earlier turns.
  const turn = lines.filter(({ role }) => role === 'assistant').length + 1;
  const parts = [
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map(({ name, input }, at) => {
      return { type: 'tool-call', id: `${name.slice(0, 40)}_${turn}_${at + 1}`, name, input };
    }),
  ];
  const conversation = { messages: [{ role: 'assistant', parts }], tools };
  return renderMessages(dialect, conversation).messages.at(-1)?.content ?? '';
}
