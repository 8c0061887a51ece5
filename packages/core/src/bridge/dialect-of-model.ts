// Which dialect a model speaks, by its name as servers and catalogues spell it.
//
//   accounts/x/models/glm-4p5-air   ──>   glm | 4.5 | air   ──>   glm-4.5
//
// Names are compared word by word, never by substring: `glm-4.5v` is not `glm-4.5`, `qwen3.7` not `qwen3`.

import type { Dialect } from '../codec/dialect.js';
import { dialects, findDialect } from '../dialects/index.js';

/** The words of one name under which a dialect is known. */
interface Known {
  words: readonly string[];
  dialect: Dialect;
}

const known: readonly Known[] = dialects.flatMap((dialect) =>
  namesOf(dialect).map((name) => ({ words: wordsOf(name), dialect })),
);

/** First words of known names: where one stands before another, the name is a mixture and tells nothing. */
const families: ReadonlySet<string> = new Set(known.map(({ words }) => words[0] ?? ''));

/** The dialect the model was trained in, if its name tells. Only the last part of a path is looked at. */
export function dialectOfModel(model: string): Dialect | undefined {
  const words = wordsOf(lastPart(model));
  for (let at = 0; at < words.length; at++) {
    const found = longestAt(words, at);
    if (found) return found.dialect;
    // deepseek-r1-0528-qwen3-8b: what follows a family's name is said of that family.
    if (families.has(words[at] as string) && words[at + 1] !== words[at]) return undefined;
  }
  return undefined;
}

/** The dialect that was asked for; with none, or `auto`, the model's own, else the one that is taught. */
export function settleDialect(
  option: Dialect | string | undefined,
  model: string,
): { dialect: Dialect; from: 'name' | 'model' | 'default' } {
  if (typeof option === 'object') return { dialect: option, from: 'name' };
  if (option !== undefined && option !== 'auto') return { dialect: findDialect(option), from: 'name' };
  const own = dialectOfModel(model);
  return own ? { dialect: own, from: 'model' } : { dialect: findDialect('alkaid'), from: 'default' };
}

/** Aliases without a number are names of parsers (`mimo`), which say too little about a model. */
function namesOf({ name, models, aliases }: Dialect): string[] {
  if (models.length === 0) return [];
  return [name, ...models, ...aliases.filter((alias) => /[0-9]/.test(alias))];
}

function longestAt(words: readonly string[], at: number): Known | undefined {
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
