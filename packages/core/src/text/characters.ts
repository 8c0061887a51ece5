// Characters that readers of several kinds ask about.

/** A line break. */
export function isBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}

/** White space between markup: what models lay their calls out with. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || isBreak(code);
}

/** The first half of a pair: the other half may come with the next piece. */
export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}
