// Special tokens of models, as they stand in texts.

import { dialects } from '@dragoman/core/internal';

/** How vendors spell special tokens: `<|call|>`, `<｜tool▁sep｜>`, `[TOOL_CALLS]`. */
const SPECIAL = /^(?:<[|｜][^\s<>]*>|<[^\s<>]*[|｜]>|\[[A-Z_]+\])$/u;
export const specialTokens = [
  ...new Set(dialects.flatMap(({ markers }) => markers.literals.filter((one) => SPECIAL.test(one)))),
  '<|im_start|>',
  '<|im_end|>',
].sort((a, b) => b.length - a.length);

/** Such tokens stand in no text that a model means to say; words in brackets may. */
export function isFrameToken(token: string): boolean {
  return token.startsWith('<');
}

export function withoutTokens(text: string): string {
  const bare = specialTokens.reduce((rest, token) => rest.replaceAll(token, ''), text);
  return bare.replace(/\s+/g, ' ');
}

const endTokens = [...specialTokens, '<|eot_id|>', '<|endoftext|>', '<|end|>', '<end_of_turn>', '</s>'];

/** A special token that stands at the end of a text, where the engine takes it away. */
export function endToken(text: string): string | undefined {
  const end = text.trimEnd();
  return endTokens.find((token) => end.endsWith(token));
}
