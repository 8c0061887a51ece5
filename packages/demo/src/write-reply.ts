// Writes the demo model's reply: calls, an answer that quotes results, or a sentence about itself; in the dialect of
// the tool instructions.

import { type Dialect, renderMessages, stringifyJson, type Tool } from '@dragoman/core';
import { fillCalls } from './fill-input.js';
import { findThings } from './find-things.js';
import { choreIn, pickTool } from './pick-tool.js';
import type { AnsweredCall, DemoRequest } from './read-request.js';
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
  const say = speaksChinese(question) ? chinese : english;
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

// --- sentences -----------------------------------------------------------------------------------------

const MAX_QUOTE = 4_000;
const MAX_INPUT = 200;
const MAX_TOOLS = 40;
const MAX_DESCRIPTION = 100;

const english = {
  thoughtOfCall: (name: string) => `The words of the question fit ${name}. I will call it.`,
  thoughtOfAnswer: 'No call is needed. I will answer.',
  guessed: (names: readonly string[]) =>
    `You did not say ${names.join(', ')}, so I fill in something that fits.`,
  returned: (call: string, output: string) => `${call || 'A tool'} returned:\n${output || '(nothing)'}`,
  failed: (call: string, output: string) => `${call || 'A tool'} failed:\n${output}`,
  more: (count: number) => `… (${count} more characters)`,
  onlyQuotes: "(I am Dragoman's demo model: a few rules, no neural network. I only quote what came back.)",
  self: "I am Dragoman's demo model: a few rules, no neural network.",
  noTool:
    'I pick a tool by the words of your question, fill its arguments from them, and quote what comes back. ' +
    'Your question fits none of the tools I see:',
  hint: 'Ask for something one of them does, for example with the words of its name.',
  noTools:
    'I can show you tool calls: send me tools with your question, and I will call the one it fits. ' +
    'I see no tools here, and without one I have nothing to say.',
};

type Sayings = typeof english;

const chinese: Sayings = {
  thoughtOfCall: (name) => `问题的用词与 ${name} 相符，我来调用它。`,
  thoughtOfAnswer: '不需要调用工具，直接回答。',
  guessed: (names) => `你没有给出 ${names.join('、')}，我填入一个合适的值。`,
  returned: (call, output) => `${call || '工具'} 返回：\n${output || '（空）'}`,
  failed: (call, output) => `${call || '工具'} 失败：\n${output}`,
  more: (count) => `…（${count} 个字符未显示）`,
  onlyQuotes: '（我是 Dragoman 的演示模型：只有几条规则，没有神经网络，只会引用工具返回的内容。）',
  self: '我是 Dragoman 的演示模型：只有几条规则，没有神经网络。',
  noTool: '我按问题里的词挑选工具，从中填写参数，再引用返回的内容。你的问题与我看到的工具都不相符：',
  hint: '请问一件其中某个工具能做的事，例如用它名字里的词。',
  noTools: '我可以演示工具调用：请在提问时附上工具，我会调用相符的那一个。这里没有工具，我也就无话可说。',
};

function quoteResults(say: Sayings, answered: readonly AnsweredCall[]): string {
  const quotes = answered.map(({ call, output }) => {
    const shown = call ? `${call.name} ${shorten(stringifyJson(call.input, 'python'), MAX_INPUT)}` : '';
    const rest = output.length - MAX_QUOTE;
    const quote = rest > 0 ? output.slice(0, MAX_QUOTE) + say.more(rest) : output.trim() && output;
    return isError(output) ? say.failed(shown, quote) : say.returned(shown, quote);
  });
  return [...quotes, say.onlyQuotes].join('\n\n');
}

/** Whether the output is an error, by its first word or key. */
function isError(output: string): boolean {
  return /^\s*(?:error|\{"error"|\{"iserror": true)/i.test(output.slice(0, 40));
}

function introduce(say: Sayings, tools: readonly Tool[]): string {
  if (tools.length === 0) return [say.self, say.noTools].join('\n\n');
  const lines = tools.slice(0, MAX_TOOLS).map(({ name, description = '' }) => {
    const [line = ''] = description.trim().split('\n');
    return line === '' ? `- ${name}` : `- ${name}: ${shorten(line, MAX_DESCRIPTION)}`;
  });
  if (tools.length > MAX_TOOLS) lines.push(`- … (+${tools.length - MAX_TOOLS})`);
  return [say.self, say.noTool, lines.join('\n'), say.hint].join('\n\n');
}

function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
