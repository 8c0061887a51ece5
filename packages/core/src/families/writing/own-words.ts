// Writes a turn in the words of the model: a prompt goes on with exactly what the model saw and wrote.

import type { RenderOptions, Writer } from '../../engine/dialect.js';
import { reasoningOf } from '../../engine/message-text.js';
import type { AssistantMessage, WrittenTurn } from '../../model/index.js';

export interface TurnPlace {
  options: RenderOptions;
  /** Gives what the prompt writes of an answer, before the model goes on. */
  begin(options: RenderOptions): string;
  /** Whether the template keeps the reasoning of this turn. */
  keeps: boolean;
  /** What the template writes before an answer without reasoning. */
  plain: string;
  /** The beginning of the reasoning, if an answer can begin inside it. */
  opener?: string | undefined;
  /** The end of the reasoning, if a prompt can write it for an answer without any. */
  closer?: string | undefined;
}

/**
 * Writes what the model wrote, without the reasoning that the template leaves out. Gives false, and writes nothing, if the
 * words are not known, or what they were read to has reasoning that they do not have.
 */
export function writeOwnWords(out: Writer, message: AssistantMessage, place: TurnPlace): boolean {
  const written = out.wordsOf(message);
  if (!written) return false;
  const { text, body, inside } = written;
  const hasReasoning = inside || body !== 0;
  if (hasReasoning && !place.keeps) {
    if (body === undefined) return false;
    out.ours(place.plain).ours(text.slice(body));
    return true;
  }
  const begin = beginningOf(written, place);
  if (begin === undefined || (place.keeps && !hasReasoning && reasoningOf(message))) return false;
  out.ours(begin).ours(text);
  return true;
}

/**
 * Gives the beginning that the model went on from. Where its prompt is not known, one that fits: inside the reasoning or
 * not, and without any if the model opened its own.
 */
function beginningOf(
  written: WrittenTurn,
  { options, begin, opener, closer }: TurnPlace,
): string | undefined {
  const { inside, body, asked } = written;
  const withThinking = ({ thinking }: { thinking: boolean | undefined }): RenderOptions => {
    const { thinking: _now, ...others } = options;
    return thinking === undefined ? others : { ...others, thinking };
  };
  if (asked) return begin(withThinking(asked));
  if (opener === undefined) return inside ? undefined : begin(options);
  const opens = !inside && body !== 0;
  const reasons = [opener.trimEnd(), ...(closer === undefined ? [] : [closer])];
  const fits = (text: string) =>
    text.trimEnd().endsWith(opener.trimEnd()) === inside &&
    !(opens && reasons.some((token) => text.includes(token)));
  const asks = [options.thinking, inside, undefined].map((thinking) => begin(withThinking({ thinking })));
  return asks.find(fits);
}
