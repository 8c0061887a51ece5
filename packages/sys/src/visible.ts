// Spells out what could hide in a path or a name, move the cursor or change the reading direction: in messages of the file
// tools and in lists of files. What a person approves is spelled by `spellHidden` of @dragoman/core/agent.

/** Controls, what is invisible or reorders text, and halves of pairs. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

export function visible(text: string): string {
  return text.replace(hidden, (character) => {
    if (character === '\n' || character === '\t') return character;
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
}
