// Prompts that any model can follow: they spell the call out, so that a wrong answer is the endpoint's fault far more
// often than the model's.

import type { WantedCall } from '../probe.js';

export type Language = 'en' | 'zh';

const words = {
  en: {
    text: (tool: string) => `Call the tool \`${tool}\` with exactly this text, character by character:`,
    json: (tool: string) => `Call the tool \`${tool}\` with exactly these arguments:`,
    several: (count: number) => `Make ${count} tool calls at once, in this one reply.`,
  },
  zh: {
    text: (tool: string) => `调用工具 \`${tool}\`，参数恰好是下面的文字，一字不差：`,
    json: (tool: string) => `调用工具 \`${tool}\`，参数恰好如下：`,
    several: (count: number) => `请在这一次回复中同时发起 ${count} 个工具调用。`,
  },
} as const;

const OPEN = '<<<\n';
const CLOSE = '\n>>>';

/** Asks for this text as the answer. */
export function exactText(text: string): string {
  return `Reply with exactly this text and nothing else, character by character:\n${OPEN}${text}${CLOSE}`;
}

/** Asks for these calls. A call with the one argument `text` shows it as it is, any other as JSON. */
export function exactPrompt(calls: readonly WantedCall[], language: Language = 'en'): string {
  const { text, json, several } = words[language];
  const asked = calls.map(({ name, input }) => {
    const value = Object.keys(input).length === 1 ? input.text : undefined;
    if (typeof value === 'string') return `${text(name)}\n${OPEN}${value}${CLOSE}`;
    return `${json(name)}\n${OPEN}${JSON.stringify(input)}${CLOSE}`;
  });
  return [...(calls.length > 1 ? [several(calls.length)] : []), ...asked].join('\n\n');
}
