// The sentences of the demo model, in English and Chinese.

import { stringifyJson, type Tool } from '@dragoman/core';
import type { AnsweredCall } from './read-results.js';

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

export type Sayings = typeof english;

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

export function sayingsIn(language: 'en' | 'zh'): Sayings {
  return language === 'zh' ? chinese : english;
}

export function quoteResults(say: Sayings, answered: readonly AnsweredCall[]): string {
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

export function introduce(say: Sayings, tools: readonly Tool[]): string {
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
