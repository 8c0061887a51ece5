// Makes text safe for an approval prompt: nothing in it can hide, move the cursor or change the reading direction.

const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Escapes invisible characters. Line breaks and tabs stay. */
export function plainly(text: string): string {
  return text.replace(hidden, (character) => {
    if (character === '\n' || character === '\t') return character;
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
}
