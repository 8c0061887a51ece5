// Finds a model's dialect by its name, as servers and catalogues spell it.
//
//   accounts/x/models/glm-4p5-air   ──>   glm | 4.5 | air   ──>   glm-4.5
//
// Names are compared word by word, never by substring: `glm-4.5x` is not `glm-4.5`, `qwen3.7` not `qwen3`.

import type { Dialect } from './dialect.js';

/** One name of a dialect, split into words. */
interface Known {
  words: readonly string[];
  name: string;
  dialect: Dialect;
}

interface Names {
  known: readonly Known[];
  /** First words of known names. A model name with one of them before another known name is a mixture: no match. */
  families: ReadonlySet<string>;
}

const namesOfList = new WeakMap<readonly Dialect[], Names>();

/** Finds the dialect of a model, and the known name that matched. Only the last part of a path counts. */
export function dialectOfModel(
  dialects: readonly Dialect[],
  model: string,
): { dialect: Dialect; known: string } | undefined {
  const { known, families } = namesIn(dialects);
  const words = wordsOf(lastPart(model));
  for (let at = 0; at < words.length; at++) {
    const found = longestAt(known, words, at);
    if (found) return { dialect: found.dialect, known: found.name };
    // In deepseek-r1-0528-qwen3-8b the first family's name decides, so qwen3 does not count.
    if (families.has(words[at] as string) && words[at + 1] !== words[at]) return undefined;
  }
  return undefined;
}

/** Gives the longest of these names that the model's name has, word by word. */
export function nameInModel(names: readonly string[], model: string): string | undefined {
  const words = wordsOf(lastPart(model));
  const known = names.map((name) => ({ name, words: wordsOf(name) }));
  let longest: { name: string; words: string[] } | undefined;
  for (const one of known) {
    const fits = words.some((_, at) => one.words.every((word, offset) => words[at + offset] === word));
    if (fits && one.words.length > (longest?.words.length ?? 0)) longest = one;
  }
  return longest?.name;
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
/** Gives the names to match. Aliases without a number are names of parsers (`mimo`), too unspecific for a model. */
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
 * Splits a name into words. It splits between letters and a number after them (`qwen3`, `v3.1`), but not between a
 * number and letters after it (`30b`, `4.5v`), which change its meaning. `4p5` and `4-5` become 4.5, `4.0` becomes 4.
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
