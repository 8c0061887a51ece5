// Writes the demo model's reply: calls, an answer that quotes results, or a sentence about itself; in the dialect of
// the tool instructions.

import { type Dialect, renderMessages, stringifyJson, type Tool } from '@dragoman/core';
import { fillCalls } from './fill-input.js';
import { findThings } from './find-things.js';
import { choreIn, pickTool } from './pick-tool.js';
import type { AnsweredCall, DemoRequest } from './read-request.js';
import { defaultValue } from './schema-values.js';
import { spelledCalls } from './spelled-calls.js';

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
  const { question, answered, required, tools, answerSchema } = request;
  const answer = (text: string): DemoReply => ({
    thought: NO_CALL,
    text: answerSchema ? stringifyJson(defaultValue(answerSchema, answerSchema, ''), 'python') : text,
    calls: [],
  });
  if (answered.length > 0 && required === undefined) return answer(quoteResults(answered));
  const codes = codeWords(request);
  if (codes.length > 0 && required === undefined) return answer(codes.join(', '));
  const spelled = spelledCalls(request.asked, tools);
  if (spelled.length > 0 && (!required || spelled.every(({ name }) => name === required)))
    return {
      thought: 'The question spells the call out.',
      text: '',
      calls: request.once ? spelled.slice(0, 1) : spelled,
    };
  const chore = choreIn(question, findThings(question));
  const tool =
    tools.find(({ name }) => name === required) ??
    namedIn(question, tools) ??
    pickTool(tools, question, chore, required !== undefined);
  if (!tool) return answer(introduce(tools));
  const { inputs, guessed } = fillCalls(tool, request, chore);
  return {
    thought: `The words of the question fit ${tool.name}. I will call it.`,
    text:
      guessed.length > 0 ? `You did not say ${guessed.join(', ')}, so I fill in something that fits.` : '',
    calls: inputs.map((input) => ({ name: tool.name, input })),
  };
}

/** The code words of messages, where the question asks for them. `dragoman verify` sees by them which messages arrive. */
function codeWords({ lines, question }: DemoRequest): string[] {
  if (!question.includes('code word')) return [];
  const given = lines.filter(({ role }) => role !== 'assistant').map(({ text }) => text);
  return [...given.join('\n').matchAll(/The code word is ([A-Z]{2}\d{4})\./g)].flatMap(
    ([, code = '']) => code,
  );
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

// --- sentences -----------------------------------------------------------------------------------------

const MAX_QUOTE = 4_000;
const MAX_INPUT = 200;
const MAX_TOOLS = 40;
const MAX_DESCRIPTION = 100;

const NO_CALL = 'No call is needed. I will answer.';
const SELF = "I am Dragoman's demo model: a few rules, no neural network.";
const ONLY_QUOTES = `(${SELF} I only quote what came back.)`;
const NO_TOOL =
  'I pick a tool by the words of your question, fill its arguments from them, and quote what comes back. ' +
  'Your question fits none of the tools I see:';
const HINT = 'Ask for something one of them does, for example with the words of its name.';
const NO_TOOLS =
  'I can show you tool calls: send me tools with your question, and I will call the one it fits. ' +
  'I see no tools here, and without one I have nothing to say.';

function quoteResults(answered: readonly AnsweredCall[]): string {
  const quotes = answered.map(({ call, output }) => {
    const called = call && `${call.name} ${shorten(stringifyJson(call.input, 'python'), MAX_INPUT)}`;
    const rest = output.length - MAX_QUOTE;
    const quote = rest > 0 ? `${output.slice(0, MAX_QUOTE)}… (${rest} more characters)` : output;
    return `${called ?? 'A tool'} ${isError(output) ? 'failed' : 'returned'}:\n${quote.trim() === '' ? '(nothing)' : quote}`;
  });
  return [...quotes, ONLY_QUOTES].join('\n\n');
}

/** Whether the output is an error, by its first word or key. */
function isError(output: string): boolean {
  return /^\s*(?:error|\{"error"|\{"iserror": true)/i.test(output.slice(0, 40));
}

function introduce(tools: readonly Tool[]): string {
  if (tools.length === 0) return [SELF, NO_TOOLS].join('\n\n');
  const lines = tools.slice(0, MAX_TOOLS).map(({ name, description = '' }) => {
    const [line = ''] = description.trim().split('\n');
    return line === '' ? `- ${name}` : `- ${name}: ${shorten(line, MAX_DESCRIPTION)}`;
  });
  if (tools.length > MAX_TOOLS) lines.push(`- … (+${tools.length - MAX_TOOLS})`);
  return [SELF, NO_TOOL, lines.join('\n'), HINT].join('\n\n');
}

function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
