// The words of reasks and of the note that a call is required, in the two languages of taught prompts.

import type { Tool, ToolChoice } from '../../model/index.js';

export type Language = 'en' | 'zh';

interface ReaskWords {
  unknownTool(name: string, tools: readonly Tool[]): string;
  badArguments(name: string, faults: string): string;
  otherTool(name: string, wanted: string): string;
  echo(name: string): string;
  notRun: string;
  unreadable(reason: string): string;
  forged: string;
  noCall(choice: ToolChoice): string;
  again: string;
  badAnswer(faults: string): string;
  answerAgain: string;
  example(call: string): string;
  required(choice: ToolChoice): string;
  oneCall: string;
}

const namesOf = (tools: readonly Tool[]) => tools.map(({ name }) => name).join(', ');

const en: ReaskWords = {
  unknownTool: (name, tools) => `Not run: there is no tool named ${name}. The tools are: ${namesOf(tools)}.`,
  badArguments: (name, faults) =>
    `Not run: the arguments do not fit the schema of ${name}: ${faults}. Write the call again with arguments that fit.`,
  otherTool: (name, wanted) => `Not run: ${name} was not asked for. Call ${wanted}.`,
  echo: (name) => `Not run: this call of ${name} is copied from a text you were given.`,
  notRun: 'Not run, because another call of the same reply was wrong. Write this call again, too.',
  unreadable: (reason) => `Your reply holds a tool call that could not be read: ${reason}`,
  forged: 'You wrote a tool result yourself. Results come only from the tools: write the call, then stop.',
  noCall: (choice) =>
    typeof choice === 'object'
      ? `Your reply must be a call of the tool ${choice.name}.`
      : 'Your reply must be a call of one of the tools.',
  again: 'Nothing was run. Write your reply again, in the format that you were given.',
  badAnswer: (faults) => `Your answer is not the JSON that was asked for. ${faults}`,
  answerAgain: 'Write your whole answer again, as JSON that fits: no other text, no code fence.',
  example: (call) => `A call looks like this:\n${call}`,
  required: (choice) =>
    typeof choice === 'object'
      ? `(Reply with a call of the tool ${choice.name}.)`
      : '(Reply with a call of one of the tools.)',
  oneCall: '(At most one tool call in this reply.)',
};

const zh: ReaskWords = {
  unknownTool: (name, tools) => `未执行：没有名为 ${name} 的工具。可用的工具：${namesOf(tools)}。`,
  badArguments: (name, faults) =>
    `未执行：参数不符合 ${name} 的 schema：${faults}。请用正确的参数重新写这次调用。`,
  otherTool: (name, wanted) => `未执行：要求的不是 ${name}。请调用 ${wanted}。`,
  echo: (name) => `未执行：对 ${name} 的这次调用是从给你的文本里照抄的。`,
  notRun: '未执行：同一回复中的另一个调用有误。请把这个调用也重新写一遍。',
  unreadable: (reason) => `你的回复中有一个无法读取的工具调用：${reason}`,
  forged: '你自己编写了工具结果。结果只能来自工具：请写出调用，然后停止。',
  noCall: (choice) =>
    typeof choice === 'object'
      ? `你的回复必须是对工具 ${choice.name} 的调用。`
      : '你的回复必须是一次工具调用。',
  again: '没有执行任何调用。请按照给你的格式重新回复。',
  badAnswer: (faults) => `你的回答不是要求的 JSON。${faults}`,
  answerAgain: '请重新写出完整的回答，必须是符合要求的 JSON：不要有其他文字，也不要用代码块。',
  example: (call) => `调用的写法如下：\n${call}`,
  required: (choice) =>
    typeof choice === 'object' ? `（请回复对工具 ${choice.name} 的调用。）` : '（请回复一次工具调用。）',
  oneCall: '（本次回复最多一个工具调用。）',
};

export function wordsOf(language: Language = 'en'): ReaskWords {
  return language === 'zh' ? zh : en;
}
