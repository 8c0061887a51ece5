// A reply in the dialect that the prompt teaches, spelled by the dialect itself.

import { type Dialect, renderMessages, type Tool } from '@dragoman/core';
import type { Reply } from './decide-reply.js';
import type { PromptReading } from './read-prompt.js';

export interface SpellOptions {
  /** Makes ids differ from those of earlier turns. */
  turn: number;
  /** Whether reasoning was asked for by setting. */
  thinking: boolean;
}

export function spellReply(reply: Reply, reading: PromptReading, options: SpellOptions): string {
  const { dialect, tools } = reading;
  const said = dialect ? spellTurn(reply, dialect, tools, options.turn) : reply.text;
  return thoughtOf(reply, reading, options) + said;
}

function spellTurn(reply: Reply, dialect: Dialect, tools: readonly Tool[], turn: number): string {
  const calls = reply.calls.map(({ name, input }, at) => {
    return { type: 'tool-call' as const, id: `${name.slice(0, 40)}_${turn + 1}_${at + 1}`, name, input };
  });
  const text = reply.text === '' ? [] : [{ type: 'text' as const, text: reply.text }];
  const conversation = { messages: [{ role: 'assistant', parts: [...text, ...calls] }], tools };
  return renderMessages(dialect, conversation).messages.at(-1)?.content ?? '';
}

/** A prompt may have opened the reasoning already. */
function thoughtOf(
  { thought }: Reply,
  { dialect, opensReasoning }: PromptReading,
  options: SpellOptions,
): string {
  const { open, close } = dialect?.traits.reasoning ?? { open: '<think>', close: '</think>' };
  if (opensReasoning) return thought + close;
  return options.thinking && dialect?.traits.reasoning ? `${open}${thought}${close}` : '';
}
