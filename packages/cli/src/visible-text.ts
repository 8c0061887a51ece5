// Makes model text safe for a terminal: it cannot move the cursor or reverse the reading direction, and every character
// has a known width, so that carets align.

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;
const zero = /[\p{Mn}\p{Me}\p{Cf}]/u;
const acting = /[\p{Cc}\u202a-\u202e\u2066-\u2069\ud800-\udfff]/gu;

/** Control characters as pictures or escapes. Line breaks and tabs stay. */
export function visibleText(text: string): string {
  return text.replace(acting, (character) => {
    const code = character.charCodeAt(0);
    if (code === 0x0a || code === 0x09) return character;
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '\u2421' : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** One line: line breaks and tabs become pictures, too. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll('\n', '⏎').replaceAll('\t', '⇥');
}

/** How many columns of a terminal the text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += widthOfCharacter(character);
  return width;
}

function widthOfCharacter(character: string): number {
  if (character < '\u0300') return 1;
  if (zero.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** As much of the start as fits. */
export function cutTo(text: string, width: number): string {
  let used = 0;
  let end = 0;
  for (const character of text) {
    used += widthOfCharacter(character);
    if (used > width) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** Cuts lines where they are full, wherever that is: for text whose every character counts. */
export function cutLines(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    const pieces: string[] = [];
    let rest = line;
    do {
      // A character wider than the line is printed all the same.
      const piece = cutTo(rest, width) || rest.slice(0, 2);
      pieces.push(piece);
      rest = rest.slice(piece.length);
    } while (rest !== '');
    return pieces;
  });
}

/** Wraps prose between words. */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

export function indent(text: string, by: number | string): string {
  const margin = typeof by === 'string' ? by : ' '.repeat(by);
  return text
    .split('\n')
    .map((line) => (line === '' ? line : margin + line))
    .join('\n');
}
