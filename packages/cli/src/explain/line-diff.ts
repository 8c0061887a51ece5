// A diff of two short texts: by lines, and inside changed lines by words. White space counts for lines only.

export interface DiffLine {
  kind: 'same' | 'old' | 'new';
  text: string;
  /** The words of an old or a new line that the other side does not have: [start, end) in code units. */
  marks: [start: number, end: number][];
}

/** Longer texts are not compared: the cost is the product of their lengths, and nobody reads such a diff. */
const MOST_LINES = 60;
const MOST_CHARACTERS = 4000;
const MOST_WORDS = 1000;

export function diffLines(before: string, after: string): DiffLine[] | undefined {
  const [a, b] = [before.split('\n'), after.split('\n')];
  if (a.length > MOST_LINES || b.length > MOST_LINES) return undefined;
  if (before.length > MOST_CHARACTERS || after.length > MOST_CHARACTERS) return undefined;
  const lines: DiffLine[] = [];
  walk(a, b, (kind, text) => lines.push({ kind, text, marks: [] }));
  markHunks(lines);
  return lines;
}

/** Walks two lists along their longest common subsequence. In a change, the old entries come first. */
function walk(
  a: readonly string[],
  b: readonly string[],
  say: (kind: DiffLine['kind'], text: string, at: number) => void,
): void {
  const lengths = commonLengths(a, b);
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      say('same', a[i] as string, i++);
      j++;
    } else if (j >= b.length || (i < a.length && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0)))
      say('old', a[i] as string, i++);
    else say('new', b[j] as string, j++);
  }
}

/** Gives, for each pair of indexes, the length of the longest common subsequence from there to the ends. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    const [row, below] = [lengths[i] as Uint16Array, lengths[i + 1] as Uint16Array];
    for (let j = b.length - 1; j >= 0; j--)
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
  }
  return lengths;
}

// --- words inside changed lines ------------------------------------------------------------------------------

/** Marks the changed words of each run of old lines and the new lines in their place. */
function markHunks(lines: readonly DiffLine[]): void {
  for (let at = 0; at < lines.length; ) {
    const start = at;
    while (at < lines.length && lines[at]?.kind !== 'same') at++;
    const hunk = lines.slice(start, at);
    const old = hunk.filter(({ kind }) => kind === 'old').flatMap(wordsOf);
    const fresh = hunk.filter(({ kind }) => kind === 'new').flatMap(wordsOf);
    if (old.length > 0 && fresh.length > 0) markWords(old, fresh);
    if (at === start) at++;
  }
}

interface Word {
  text: string;
  line: DiffLine;
  start: number;
}

function wordsOf(line: DiffLine): Word[] {
  const found = line.text.matchAll(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu);
  return Array.from(found, ({ 0: text, index }) => ({ text, line, start: index }));
}

function markWords(old: readonly Word[], fresh: readonly Word[]): void {
  if (old.length > MOST_WORDS || fresh.length > MOST_WORDS) return;
  const text = (words: readonly Word[]) => words.map((word) => word.text);
  walk(text(old), text(fresh), (kind, _, at) => {
    if (kind !== 'same') mark((kind === 'old' ? old[at] : fresh[at]) as Word);
  });
  for (const { line } of [...old, ...fresh]) if (isAllMarked(line)) line.marks = [];
}

/** Whether the whole line is marked: then the marks add nothing. */
function isAllMarked({ text, marks }: DiffLine): boolean {
  const [first] = marks;
  return marks.length === 1 && first !== undefined && text.trim() === text.slice(...first);
}

function mark({ line: { marks }, start, text }: Word): void {
  const last = marks.at(-1);
  if (last?.[1] === start) last[1] = start + text.length;
  else marks.push([start, start + text.length]);
}
