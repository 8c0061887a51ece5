// What the model stops with behind the last answer of a text, where the template does not write it. A sample without it
// does not teach the model to stop.

import { callsOf, type Dialect, type Message, type TracedPrompt } from '@dragoman/core/internal';

export type Traced = Pick<TracedPrompt, 'text' | 'answers'>;

/** Gives the text with it, in place of what the template ends the answer with. Texts that end otherwise are unchanged. */
export function withLastEnd({ render }: Dialect, messages: readonly Message[], traced: Traced): Traced {
  const { text, answers } = traced;
  const message = messages.at(-1);
  const last = answers.at(-1);
  const isWritten = !last || last.close < last.end || last.message !== messages.length - 1;
  if (!message || isWritten || !render.lastEnd) return traced;
  const [behindText, behindCalls = ''] = render.lastEnd;
  const token = callsOf(message).length > 0 ? behindCalls : behindText;
  if (token === '') return traced;
  const ended = { ...last, end: last.close + token.length };
  return { text: text.slice(0, last.close) + token, answers: [...answers.slice(0, -1), ended] };
}
