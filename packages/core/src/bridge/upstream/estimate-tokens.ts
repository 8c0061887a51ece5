// Estimates how many tokens a text has, for upstreams that do not report usage. Marked as an estimate wherever it is
// shown. Four ASCII characters are a token, and each other character is three quarters of one: within about a quarter of
// what common tokenizers count for prose and code.

export function estimateTokens(text: string): number {
  return Math.ceil(tokenWeight(text));
}

/** The unrounded count, which can be summed over the pieces of a stream. */
export function tokenWeight(text: string): number {
  let ascii = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 0x80) ascii++;
  return ascii / 4 + (text.length - ascii) * 0.75;
}
