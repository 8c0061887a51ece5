// The tokenizer of a GGUF file with `tokenizer.ggml.model = llama`, as llama.cpp does it:
//
//   1. Fixed texts are cut out, the longest first: user-defined tokens anywhere, control tokens only in text of ours.
//   2. The rest is merged from its characters: of all neighbours whose joined text is a token, the pair of the highest
//      score first, the leftmost of equals.
//   3. What is no token then is written as bytes.
//
// In one point it is stricter: no merge gives a control token, so text from outside never holds one.

import type { PromptPiece } from '@dragoman/local';
import { GgufError, type GgufFile } from './gguf.js';

/** The types of tokens in a file. */
const NORMAL = 1;
const UNKNOWN = 2;
const CONTROL = 3;
const USER_DEFINED = 4;
const BYTE = 6;

/** A space in the texts of normal tokens. */
const SPACE = '\u2581';

export interface Vocabulary {
  texts: readonly string[];
  scores: readonly number[];
  types: readonly number[];
  begin: number;
  end: number;
}

/** Reads the vocabulary from the metadata of a file. */
export function readVocabulary({ metadata }: Pick<GgufFile, 'metadata'>): Vocabulary {
  const kind = metadata.get('tokenizer.ggml.model');
  if (kind !== 'llama') throw new GgufError(`the tokenizer ${String(kind)} is not known here, only llama`);
  const list = (name: string) => {
    const value = metadata.get(`tokenizer.ggml.${name}`);
    if (!Array.isArray(value)) throw new GgufError(`tokenizer.ggml.${name} is missing`);
    return value;
  };
  const texts = list('tokens').map(String);
  const scores = list('scores').map(Number);
  const types = list('token_type').map(Number);
  if (scores.length !== texts.length || types.length !== texts.length)
    throw new GgufError('the lists of the tokenizer have different lengths');
  if (metadata.get('tokenizer.ggml.add_space_prefix') !== false)
    throw new GgufError('a space before every text is not known here');
  const id = (name: string, otherwise: number) =>
    Number(metadata.get(`tokenizer.ggml.${name}_token_id`) ?? otherwise);
  return { texts, scores, types, begin: id('bos', 1), end: id('eos', 2) };
}

export class Tokenizer {
  readonly begin: number;
  readonly end: number;
  readonly #types: readonly number[];
  readonly #scores: readonly number[];
  /** Tokens that merges may give, by their text. */
  readonly #merged = new Map<string, number>();
  readonly #byteTokens: number[] = [];
  readonly #pieces: Uint8Array[];
  readonly #phrases: Trie;

  /** `ties`: which of two fixed texts of one length comes first where they overlap. llama.cpp leaves it open. */
  constructor({ texts, scores, types, begin, end }: Vocabulary, ties: 'first' | 'last' = 'first') {
    this.begin = begin;
    this.end = end;
    this.#types = types;
    this.#scores = scores;
    this.#phrases = new Trie(ties === 'first' ? 1 : -1);
    const encoder = new TextEncoder();
    this.#pieces = texts.map((text, id) => {
      const type = types[id];
      if (type === CONTROL || type === UNKNOWN || type === USER_DEFINED) {
        if (text !== '') this.#phrases.add(text, id, encoder.encode(text).length);
        return encoder.encode(text);
      }
      if (type === NORMAL) {
        this.#merged.set(text, id);
        return encoder.encode(text.replaceAll(SPACE, ' '));
      }
      const byte = type === BYTE ? /^<0x([0-9A-F]{2})>$/.exec(text)?.[1] : undefined;
      if (byte === undefined) return new Uint8Array();
      this.#byteTokens[Number.parseInt(byte, 16)] = id;
      return Uint8Array.of(Number.parseInt(byte, 16));
    });
  }

  get size(): number {
    return this.#pieces.length;
  }

  /** The bytes a token stands for; none for tokens without text. */
  bytesOf(id: number): Uint8Array {
    return this.#pieces[id] ?? new Uint8Array();
  }

  /** Whether the token is never found in text from outside. */
  isControl(id: number): boolean {
    const type = this.#types[id];
    return type === CONTROL || type === UNKNOWN;
  }

  encodePieces(pieces: readonly PromptPiece[]): number[] {
    const out: number[] = [];
    for (const { text, origin } of pieces) this.#encode(text, origin === 'ours', out);
    return out;
  }

  encode(text: string, origin: PromptPiece['origin']): number[] {
    return this.encodePieces([{ text, origin }]);
  }

  #encode(text: string, ours: boolean, out: number[]): void {
    let from = 0;
    for (const { start, end, id } of this.#phrases.find(text, (id) => ours || !this.isControl(id))) {
      this.#merge(text.slice(from, start), out);
      out.push(id);
      from = end;
    }
    this.#merge(text.slice(from), out);
  }

  /** Writes the tokens of text without fixed texts. */
  #merge(text: string, out: number[]): void {
    if (text === '') return;
    const merging = new Merging(text.replaceAll(' ', SPACE), this.#merged, this.#scores);
    for (const symbol of merging.symbols()) {
      const id = this.#merged.get(symbol);
      if (id !== undefined) out.push(id);
      else for (const byte of new TextEncoder().encode(symbol)) out.push(this.#byteToken(byte));
    }
  }

  #byteToken(byte: number): number {
    return this.#byteTokens[byte] ?? this.#merged.get(String.fromCharCode(byte)) ?? 0;
  }
}

interface Found {
  start: number;
  end: number;
  id: number;
}

interface TrieNode {
  next: Map<number, TrieNode>;
  id?: number;
  /** In bytes, by which the longest is told. */
  length?: number;
}

/** Finds fixed texts. */
class Trie {
  readonly #root: TrieNode = { next: new Map() };

  constructor(readonly order: 1 | -1) {}

  add(text: string, id: number, length: number): void {
    let node = this.#root;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const next = node.next.get(code) ?? { next: new Map() };
      node.next.set(code, next);
      node = next;
    }
    node.id ??= id;
    node.length = length;
  }

  /** Gives the texts that are cut out: the longest first, of one text the leftmost, none that overlaps one before. */
  find(text: string, isWanted: (id: number) => boolean): Found[] {
    const all: (Found & { length: number })[] = [];
    for (let start = 0; start < text.length; start++) {
      let node = this.#root.next.get(text.charCodeAt(start));
      for (let end = start + 1; node; node = node.next.get(text.charCodeAt(end++))) {
        const { id, length = 0 } = node;
        if (id !== undefined && isWanted(id)) all.push({ start, end, id, length });
      }
    }
    all.sort((a, b) => b.length - a.length || this.order * (a.id - b.id) || a.start - b.start);
    const taken = new Uint8Array(text.length);
    const found = all.filter(({ start, end }) => {
      // A shorter text never holds a longer one, so its two ends tell.
      if (taken[start] || taken[end - 1]) return false;
      taken.fill(1, start, end);
      return true;
    });
    return found.sort((a, b) => a.start - b.start);
  }
}

/** The merges of one text: its symbols as a linked list, and a heap of pairs that could be joined. */
class Merging {
  readonly #texts: string[];
  readonly #before: Int32Array;
  readonly #next: Int32Array;
  /** Entries: score, place of the left symbol, lengths of the joined text. */
  readonly #heap: Pair[] = [];

  constructor(
    text: string,
    readonly tokens: ReadonlyMap<string, number>,
    readonly scores: readonly number[],
  ) {
    this.#texts = [...text];
    const { length } = this.#texts;
    this.#before = Int32Array.from({ length }, (_, at) => at - 1);
    this.#next = Int32Array.from({ length }, (_, at) => (at + 1 < length ? at + 1 : -1));
    for (let at = 0; at + 1 < length; at++) this.#offer(at, at + 1);
  }

  symbols(): string[] {
    for (let pair = this.#take(); pair; pair = this.#take()) this.#join(pair);
    const out: string[] = [];
    for (let at = 0; at >= 0; at = this.#next[at] ?? -1) out.push(this.#texts[at] ?? '');
    return out;
  }

  #join({ left, right, length }: Pair): void {
    const joined = (this.#texts[left] ?? '') + (this.#texts[right] ?? '');
    // One of the two was joined to another symbol since.
    if (this.#texts[left] === '' || this.#texts[right] === '' || joined.length !== length) return;
    this.#texts[left] = joined;
    this.#texts[right] = '';
    const next = this.#next[right] ?? -1;
    this.#next[left] = next;
    if (next >= 0) this.#before[next] = left;
    this.#offer(this.#before[left] ?? -1, left);
    this.#offer(left, next);
  }

  #offer(left: number, right: number): void {
    if (left < 0 || right < 0) return;
    const text = (this.#texts[left] ?? '') + (this.#texts[right] ?? '');
    const id = this.tokens.get(text);
    if (id === undefined) return;
    const pair = { score: this.scores[id] ?? 0, left, right, length: text.length };
    const heap = this.#heap;
    let at = heap.push(pair) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(pair, heap[parent] as Pair)) break;
      heap[at] = heap[parent] as Pair;
      at = parent;
    }
    heap[at] = pair;
  }

  #take(): Pair | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Pair, heap[child] as Pair)) child++;
      if (!isBefore(heap[child] as Pair, last)) break;
      heap[at] = heap[child] as Pair;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

interface Pair {
  score: number;
  left: number;
  right: number;
  length: number;
}

function isBefore(one: Pair, other: Pair): boolean {
  return one.score > other.score || (one.score === other.score && one.left < other.left);
}
