// Which dialect a model speaks, by its name as servers and catalogues spell it.
//
//   accounts/x/models/glm-4p5-air   ──>   glm | 4.5 | air   ──>   glm-4.5
//
// Names are compared word by word, never by substring: `glm-4.5v` is not `glm-4.5`, `qwen3.7` not `qwen3`.

import type { Dialect } from './dialect.js';

/** The words of one name under which a dialect is known. */
interface Known {
  words: readonly string[];
  name: string;
  dialect: Dialect;
}

interface Names {
  known: readonly Known[];
  /** First words of known names: where one stands before another, the name is a mixture and tells nothing. */
  families: ReadonlySet<string>;
}

const namesOfList = new WeakMap<readonly Dialect[], Names>();

/** The dialect the model was trained in, if its name tells, and the name it is known by. Only the last part of a path counts. */
export function dialectOfModel(
  dialects: readonly Dialect[],
  model: string,
): { dialect: Dialect; known: string } | undefined {
  const { known, families } = namesIn(dialects);
  const words = wordsOf(lastPart(model));
  for (let at = 0; at < words.length; at++) {
    const found = longestAt(known, words, at);
    if (found) return { dialect: found.dialect, known: found.name };
    // deepseek-r1-0528-qwen3-8b: what follows a family's name is said of that family.
    if (families.has(words[at] as string) && words[at + 1] !== words[at]) return undefined;
  }
  return undefined;
}

function namesIn(dialects: readonly Dialect[]): Names {
  let names = namesOfList.get(dialects);
  if (!names) {
    const known = dialects.flatMap((dialect) =>
      namesOf(dialect).map((name) => ({ words: wordsOf(name), name, dialect })),
    );
    names = { known, families: new Set(known.map(({ words }) => words[0] ?? '')) };
    namesOfList.set(dialects, names);
  }
  return names;
}
/** Aliases without a number are names of parsers (`mimo`), which say too little about a model. */
function namesOf({ name, models, aliases }: Dialect): string[] {
  if (models.length === 0) return [];
  return [name, ...models, ...aliases.filter((alias) => /[0-9]/.test(alias))];
}

function longestAt(known: readonly Known[], words: readonly string[], at: number): Known | undefined {
  let longest: Known | undefined;
  for (const one of known) {
    const fits = one.words.every((word, offset) => words[at + offset] === word);
    if (fits && one.words.length > (longest?.words.length ?? 0)) longest = one;
  }
  return longest;
}

function lastPart(model: string): string {
  return model.split('/').findLast((part) => part !== '') ?? '';
}

/**
 * Letters and numbers apart where a number follows letters (`qwen3`, `v3.1`), together where letters follow a
 * number (`30b`, `4.5v`): there they change what it means. Numbers are written with dots: `4p5`, `4-5`, `4.0`.
 */
function wordsOf(name: string): string[] {
  const words: string[] = [];
  let gap = '';
  for (const piece of piecesOf(name)) {
    if (isGap(piece)) gap = piece;
    else {
      addWord(words, piece, gap);
      gap = ' ';
    }
  }
  return words;
}

function addWord(words: string[], piece: string, gap: string): void {
  const word = plainNumber(piece);
  const before = words.at(-1) ?? '';
  const continues = (gap === '-' || gap === '_') && /^[0-9]$/.test(word) && /^[0-9]$/.test(before);
  if (continues) words[words.length - 1] = plainNumber(`${before}.${word}`);
  else words.push(word);
}

function piecesOf(name: string): string[] {
  return name.toLowerCase().match(/[0-9][0-9a-z]*(?:\.[0-9][0-9a-z]*)*|[a-z]+|[^0-9a-z]+/g) ?? [];
}

function isGap(piece: string): boolean {
  return !/^[0-9a-z]/.test(piece);
}

function plainNumber(word: string): string {
  const dotted = word.replace(/^([0-9]+)p([0-9]+)$/, '$1.$2');
  return /^[0-9]+\.0$/.test(dotted) ? dotted.slice(0, -2) : dotted;
}
