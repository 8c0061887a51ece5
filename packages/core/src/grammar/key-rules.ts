// The rule of a key that is none of the given names: it follows the trie of the names character by character, and may
// end or leave it anywhere except at the end of a name.

import { charsOf, except, union } from './char-ranges.js';
import { type CharRanges, chars, choice, EMPTY, NEVER, type Node, repeat, sequence } from './node.js';
import type { RuleBook } from './rule-book.js';

const WORD_START = union([
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);
const WORD = union([...WORD_START, [0x30, 0x39]]);
/** The most characters of a key after it has left the trie. */
const MAX_KEY = 60;
const MAX_LETTERS = 3_000;

interface Branch {
  next: Map<string, Branch>;
  ends: boolean;
}

export function keyExcept(names: readonly string[], alphabet: CharRanges | 'word', book: RuleBook): Node {
  const ranges = alphabet === 'word' ? WORD : alphabet;
  const first = alphabet === 'word' ? WORD_START : alphabet;
  if (names.reduce((sum, name) => sum + name.length, 0) > MAX_LETTERS) {
    book.limit(
      'additionalProperties',
      'there are too many keys to tell others from them: no others are written',
    );
    return NEVER;
  }
  const root: Branch = { next: new Map(), ends: true };
  // A name with a character outside the alphabet cannot be written without an escape, so it is skipped.
  for (const name of names) if (except(charsOf(name), ranges).length === 0) add(root, name);
  return book.named(JSON.stringify(['key', names, ranges]), 'key', () => branchRule(root, first, ranges));
}

function add(root: Branch, name: string): void {
  let at = root;
  for (const char of name) {
    const next = at.next.get(char) ?? { next: new Map(), ends: false };
    at.next.set(char, next);
    at = next;
  }
  at.ends = true;
}

function branchRule(branch: Branch, here: CharRanges, rest: CharRanges): Node {
  const letters = [...branch.next.keys()].join('');
  const away = sequence(chars(except(here, charsOf(letters))), repeat(chars(rest), 0, MAX_KEY));
  const ways = [...branch.next].map(([char, next]) =>
    sequence({ type: 'text', text: char }, branchRule(next, rest, rest)),
  );
  return choice(...(branch.ends ? [] : [EMPTY]), away, ...ways);
}
