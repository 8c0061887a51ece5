// What the demo model says, in the two languages it knows.

import { stringifyJson, type Tool } from '@dragoman/core';
import type { AnsweredCall } from './exchange.js';

export interface Sayings {
  thoughtOfCall(name: string): string;
  thoughtOfAnswer: string;
  guessed(names: readonly string[]): string;
  answer(calls: readonly AnsweredCall[]): string;
  noTool(tools: readonly Tool[]): string;
  noTools: string;
}

const MAX_QUOTE = 4_000;
const MAX_TOOLS = 40;

const en: Sayings = {
  thoughtOfCall: (name) => `The words of the question fit ${name}. I will call it.`,
  thoughtOfAnswer: 'No call is needed. I will answer.',
  guessed: (names) => `You did not say ${names.join(', ')}, so I fill in something that fits.`,
  answer: (calls) =>
    [
      ...calls.map((call) => {
        const said = isError(call.output) ? 'failed' : 'returned';
        return `${callText(call) || 'A tool'} ${said}:\n${quote(call.output, '(nothing)', 'more characters')}`;
      }),
      "(I am Dragoman's demo model: a few rules, no neural network. I only quote what came back.)",
    ].join('\n\n'),
  noTool: (tools) =>
    [
      "I am Dragoman's demo model: a few rules, no neural network.",
      'I pick a tool by the words of your question, fill its arguments from them, and quote what comes back. ' +
        'Your question fits none of the tools I see:',
      listTools(tools),
      'Ask for something one of them does, for example with the words of its name.',
    ].join('\n\n'),
  noTools: [
    "I am Dragoman's demo model: a few rules, no neural network.",
    'I can show you tool calls: send me tools with your question, and I will call the one it fits. ' +
      'I see no tools here, and without one I have nothing to say.',
  ].join('\n\n'),
};

const zh: Sayings = {
  thoughtOfCall: (name) => `问题的用词与 ${name} 相符，我来调用它。`,
  thoughtOfAnswer: '不需要调用工具，直接回答。',
  guessed: (names) => `你没有给出 ${names.join('、')}，我填入一个合适的值。`,
  answer: (calls) =>
    [
      ...calls.map((call) => {
        const said = isError(call.output) ? '失败' : '返回';
        return `${callText(call) || '工具'} ${said}：\n${quote(call.output, '（空）', '个字符未显示')}`;
      }),
      '（我是 Dragoman 的演示模型：只有几条规则，没有神经网络，只会引用工具返回的内容。）',
    ].join('\n\n'),
  noTool: (tools) =>
    [
      '我是 Dragoman 的演示模型：只有几条规则，没有神经网络。',
      '我按问题里的词挑选工具，从中填写参数，再引用返回的内容。你的问题与我看到的工具都不相符：',
      listTools(tools),
      '请问一件其中某个工具能做的事，例如用它名字里的词。',
    ].join('\n\n'),
  noTools: [
    '我是 Dragoman 的演示模型：只有几条规则，没有神经网络。',
    '我可以演示工具调用：请在提问时附上工具，我会调用相符的那一个。这里没有工具，我也就无话可说。',
  ].join('\n\n'),
};

export function sayingsIn(language: 'en' | 'zh'): Sayings {
  return language === 'zh' ? zh : en;
}

function callText({ name, input }: AnsweredCall): string {
  if (name === undefined) return '';
  const shown = stringifyJson(input ?? {}, 'python');
  return `${name} ${shown.length > 200 ? `${shown.slice(0, 200)}…` : shown}`;
}

/** A tool's own words, or a value that is named so. */
function isError(output: string): boolean {
  const start = output.trimStart().slice(0, 20).toLowerCase();
  return start.startsWith('error') || start.startsWith('{"error"') || start.startsWith('{"iserror": true');
}

function quote(output: string, nothing: string, more: string): string {
  if (output.trim() === '') return nothing;
  const rest = output.length - MAX_QUOTE;
  return rest > 0 ? `${output.slice(0, MAX_QUOTE)}… (${rest} ${more})` : output;
}

function listTools(tools: readonly Tool[]): string {
  const lines = tools.slice(0, MAX_TOOLS).map(({ name, description }) => {
    const [line = ''] = (description ?? '').trim().split('\n');
    const words = line.length > 100 ? `${line.slice(0, 100)}…` : line;
    return words === '' ? `- ${name}` : `- ${name}: ${words}`;
  });
  const more = tools.length - lines.length;
  return [...lines, ...(more > 0 ? [`- … (+${more})`] : [])].join('\n');
}
