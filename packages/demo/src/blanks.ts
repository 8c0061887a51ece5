// Words with blanks in them: what a dialect always writes, around names, ids and numbers that differ.
//
//   ## Return of functions.____:____\n

/** The words, with a blank between each two. */
export type Blanks = readonly string[];

/** Where the words stand next, at `from` or behind it. Asked with places that only grow. */
export type Seeker = (from: number) => { at: number; end: number } | undefined;

/** A name, an id or a number is no longer, and has neither white space nor what closes a string or a tag. */
const MAX_BLANK = 256;
const OUTSIDE_BLANKS = /[\s"'<>{}[\]]/;

/** Of words that were written with made-up names: `demo_tool`, `demo_id_1`, and numbers. */
export function blanksIn(words: string): Blanks {
  return words.split(/demo_tool|demo_id_\d|\d+/);
}

/** Where the words end if they stand at `at`; -1 if they do not. */
export function matchBlanks(text: string, at: number, [first = '', ...rest]: Blanks): number {
  if (!text.startsWith(first, at)) return -1;
  let end = at + first.length;
  for (const words of rest) {
    const found = text.slice(end, end + MAX_BLANK + words.length).indexOf(words);
    if (found < 0 || OUTSIDE_BLANKS.test(text.slice(end, end + found))) return -1;
    end += found + words.length;
  }
  return end;
}

/** Remembers what it found, so that a text is searched once, however often it is asked. */
export function createSeeker(text: string, blanks: Blanks): Seeker {
  let found = findBlanks(text, 0, blanks);
  return (from) => {
    if (found && found.at < from) found = findBlanks(text, from, blanks);
    return found;
  };
}

function findBlanks(text: string, from: number, blanks: Blanks): ReturnType<Seeker> {
  const [first = ''] = blanks;
  if (first === '') return undefined;
  for (let at = text.indexOf(first, from); at >= 0; at = text.indexOf(first, at + 1)) {
    const end = matchBlanks(text, at, blanks);
    if (end >= 0) return { at, end };
  }
  return undefined;
}
