// Where the samples of a dialect have the reasoning of an answer: as its template writes it, or as the model goes on behind
// a prompt that opens reasoning.

import type { Conversation, Dialect, Message, RenderOptions } from '@dragoman/core/internal';
import { renderOwnMessages, renderOwnPrompt } from '@dragoman/core/internal';

/** Gives the reasoning of an answer with its closer, as the model goes on behind a prompt that opens reasoning. */
export function thoughtBehind(
  dialect: Dialect,
  prompt: string,
  message: Message | undefined,
  options: RenderOptions,
): string | undefined {
  const parts = message?.role === 'assistant' ? message.parts.filter(({ type }) => type === 'reasoning') : [];
  if (parts.every((part) => part.type === 'reasoning' && part.text.trim() === '')) return undefined;
  if (!opensReasoning(dialect, prompt)) return undefined;
  const { safety } = options;
  const asked = { messages: [{ role: 'assistant' as const, parts }], tools: [], toolChoice: 'auto' as const };
  const settings = { reasoning: true, ...(safety && { safety }) };
  const [written] = renderOwnMessages(dialect, asked, settings).messages;
  return written?.content.slice(dialect.traits.reasoning?.open.length);
}

/** Whether the model goes on inside of reasoning. */
export function opensReasoning({ traits }: Dialect, prompt: string): boolean {
  return traits.reasoning !== undefined && prompt.trimEnd().endsWith(traits.reasoning.open.trimEnd());
}

const THOUGHT = '\uE0A1';

const ASKED: Conversation = {
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'u' }] }],
  tools: [],
  toolChoice: 'auto',
};

const ANSWERED: Conversation = {
  ...ASKED,
  messages: [
    ...ASKED.messages,
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: THOUGHT },
        { type: 'text', text: 'a' },
      ],
    },
  ],
};

/** By the dialect, with the usual options of its template. */
const known = new WeakMap<Dialect, boolean>();

/** Whether a sample of a turn can have reasoning: the template writes that of a last answer, or a prompt opens it. */
export function teachesReasoning(dialect: Dialect, { template }: Pick<RenderOptions, 'template'>): boolean {
  const isUsual = template === undefined;
  const found = isUsual ? known.get(dialect) : undefined;
  if (found !== undefined) return found;
  const options = { thinking: true, ...(template && { template }) };
  const opens = () => opensReasoning(dialect, renderOwnPrompt(dialect, ASKED, options).text);
  const teaches =
    renderOwnPrompt(dialect, ANSWERED, { ...options, generate: false }).text.includes(THOUGHT) || opens();
  if (isUsual) known.set(dialect, teaches);
  return teaches;
}
