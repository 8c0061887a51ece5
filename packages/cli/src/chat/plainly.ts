// Text that someone has to judge: nothing in it hides, moves the cursor or turns the reading direction.

const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** What cannot be seen is spelled out. Line breaks and tabs stay. */
export function plainly(text: string): string {
  return text.replace(hidden, (character) => {
    if (character === '\n' || character === '\t') return character;
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
}
