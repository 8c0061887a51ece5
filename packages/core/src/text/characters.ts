// Character classes that several readers share.

export function isBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}

/** Whether this is the white space that models put between markup: space, tab, line break. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || isBreak(code);
}

/** Whether this is the first half of a surrogate pair, whose second half may come with the next chunk. */
export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}
