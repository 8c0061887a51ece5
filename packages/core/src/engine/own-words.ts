// Writes a turn in the words of the model: a prompt goes on with exactly what the model saw and wrote.

import type { AssistantMessage, WrittenTurn } from '../model/index.js';
import type { RenderOptions, Writer } from './dialect.js';
import { reasoningOf } from './message-text.js';

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
  const reasons = inside || body !== 0;
  const drops = reasons && !place.keeps;
  const begin = drops ? place.plain : beginningOf(written, place);
  const lacks = drops ? body === undefined : place.keeps && !reasons && reasoningOf(message);
  if (begin === undefined || lacks) return false;
  out.ours(begin + text.slice(drops ? body : 0));
  return true;
}

/** No prompt has it. */
const NEVER = '\0';

/**
 * Gives the beginning that the model went on from. Where its prompt is not known, one that fits: inside the reasoning or
 * not, and without any if the model opened its own.
 */
function beginningOf(
  { inside, body, asked }: WrittenTurn,
  { options, begin, opener = NEVER, closer = opener }: TurnPlace,
): string | undefined {
  const after = (thinking: boolean | undefined) => begin({ ...options, thinking } as RenderOptions);
  if (asked) return after(asked.thinking);
  const isFree = (text: string) =>
    inside || !body || !(text.includes(opener.trimEnd()) || text.includes(closer));
  return [options.thinking, inside, undefined]
    .map(after)
    .find((text) => text.trimEnd().endsWith(opener.trimEnd()) === inside && isFree(text));
}
