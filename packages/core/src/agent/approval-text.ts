// Makes text safe to be judged by a person: nothing in it can hide, move the cursor or change the reading direction.

/**
 * Controls, halves of pairs, what reorders text, what no font has (private use, unassigned, no characters), and what shows
 * nothing or only a blank: spaces other than the usual one, fillers of Hangul and Khitan, the empty Braille pattern, blank
 * hieroglyphs, the null notehead, the object replacement, variation selectors, everything a font may leave out.
 */
const HIDDEN =
  /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}]/gu;

/** Spells out characters that are not seen as `\u{200b}`. Line breaks and tabs stay. */
export function spellHidden(text: string): string {
  return text.replace(HIDDEN, (character) => {
    if (character === '\n' || character === '\t') return character;
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
}

/** The spelling above, of any character. */
const SPELLED = /\\u\{([0-9a-f]{1,6})\}/g;

/** A line that begins so is seen. Only a backslash may begin what is spelled out. */
const BEGINS_SEEN = /^[ \t]*[!-[\]-~]/;

/** Whether a line has only characters that are not seen, as they are or spelled out. */
function showsNothing(line: string): boolean {
  // Most lines begin so. To look at all of one takes ten times as long.
  if (BEGINS_SEEN.test(line)) return false;
  const seen = line.replace(SPELLED, (spelled, code) => {
    const number = Number.parseInt(code, 16);
    return number <= 0x10ffff && spellHidden(String.fromCodePoint(number)) === spelled ? '' : spelled;
  });
  return seen.replace(HIDDEN, '').trim() === '';
}

/** More blank lines than these are folded into one that counts them. */
const MOST_BLANK_LINES = 2;
/** More blanks than these in a row, between words, are counted, too: they push what follows out of sight. */
const MOST_BLANKS = 23;

/** Folds runs of blank lines and of blanks, so that nothing stands far from what is looked at. */
export function foldBlanks(text: string): string {
  const out: string[] = [];
  let blank = 0;
  const fold = () => {
    if (blank > MOST_BLANK_LINES) out.push(`⋮ ${blank} blank lines`);
    else for (; blank > 0; blank--) out.push('');
    blank = 0;
  };
  for (const line of text.split('\n')) {
    if (showsNothing(line)) blank++;
    else {
      fold();
      out.push(foldSpaces(line));
    }
  }
  fold();
  return out.join('\n');
}

/** The indentation of a line stays, unless it alone would push the line out of sight. */
function foldSpaces(line: string): string {
  const start = line.length - line.trimStart().length;
  let out = start > 40 ? `⟨${start} blanks⟩` : line.slice(0, start);
  for (let at = start; at < line.length; ) {
    const isBlank = isSpace(line[at]);
    let end = at;
    while (end < line.length && isSpace(line[end]) === isBlank) end++;
    const isFolded = isBlank && end - at > MOST_BLANKS && end < line.length;
    out += isFolded ? `⟨${end - at} blanks⟩` : line.slice(at, end);
    at = end;
  }
  return out;
}

const isSpace = (character: string | undefined) => character === ' ' || character === '\t';

/** Characters of the first and the last line that are repeated. */
const LONGEST_LINE = 120;

/** How many lines a text has, and its first and last one: for a person who may not have all of it in sight. */
export function extentOf(text: string): string {
  const lines = text.split('\n');
  const filled = lines.filter((line) => !showsNothing(line));
  const blank = lines.length - filled.length;
  const size = `${lines.length} lines${blank > 0 ? `, ${blank} of them blank` : ''}`;
  return `${size}; first: ${briefLine(filled[0])}; last: ${briefLine(filled.at(-1))}`;
}

function briefLine(line = ''): string {
  const text = foldBlanks(spellHidden(line.trim()));
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
}
