// The tokenizer as llama.cpp reads it from the file (SPM): phrases are cut out first, the longest first; in what is left,
// the neighbours that make the token of the highest score are merged until none do; what has no token is spelled in bytes.
//
// Phrases of two kinds: control tokens hold a marker of a dialect, or are the turns' own, and are found only in our text;
// all others are found anywhere. No merged token reaches beyond a run of Latin letters, so runs can be kept.

import type { PromptPiece } from '@dragoman/local';
import { BEGIN, END, roleTokens } from '@dragoman/tiny';

export interface Vocabulary {
  /** Fixed texts of prompts and calls that hold a marker. */
  control: readonly string[];
  /** Other fixed texts. */
  phrases: readonly string[];
  /** Single characters other than ASCII. */
  characters: readonly string[];
  /** Parts of words, the most frequent first. */
  parts: readonly string[];
}

export const PAD_ID = 0;
export const BEGIN_ID = 1;
export const END_ID = 2;
export const SPECIAL: readonly string[] = [
  '<|tiny_pad|>',
  BEGIN,
  END,
  roleTokens.system,
  roleTokens.user,
  roleTokens.assistant,
  roleTokens.tool,
];
export const BYTE_START = SPECIAL.length;
const RUN = /[A-Za-z]+|[^A-Za-z]/gu;
/** So many runs are kept. */
const MOST_KEPT = 200_000;

interface Node {
  next: Map<number, Node>;
  id: number;
}

function node(): Node {
  return { next: new Map(), id: -1 };
}

export class Tokenizer {
  readonly size: number;
  readonly texts: readonly string[];
  readonly controlStart = BYTE_START + 256;
  readonly phraseStart: number;
  readonly characterStart: number;
  readonly partStart: number;
  readonly #everywhere = node();
  readonly #inOurs = node();
  readonly #parts = new Map<string, number>();
  readonly #characters = new Map<string, number>();
  readonly #kept = new Map<string, readonly number[]>();
  readonly #utf8 = new TextEncoder();

  constructor(readonly vocabulary: Vocabulary) {
    const { control, phrases, characters, parts } = vocabulary;
    this.phraseStart = this.controlStart + control.length;
    this.characterStart = this.phraseStart + phrases.length;
    this.partStart = this.characterStart + characters.length;
    this.size = this.partStart + parts.length;
    const bytes = Array.from({ length: 256 }, () => '');
    this.texts = [...SPECIAL, ...bytes, ...control, ...phrases, ...characters, ...parts];
    for (const [id, text] of SPECIAL.entries()) if (id !== PAD_ID) plant(this.#inOurs, text, id);
    for (const [at, text] of control.entries()) plant(this.#inOurs, text, this.controlStart + at);
    for (const [at, text] of phrases.entries()) {
      plant(this.#inOurs, text, this.phraseStart + at);
      plant(this.#everywhere, text, this.phraseStart + at);
    }
    for (const [at, text] of characters.entries()) this.#characters.set(text, this.characterStart + at);
    for (const [at, text] of parts.entries()) this.#parts.set(text, this.partStart + at);
  }

  encode(pieces: readonly PromptPiece[]): number[] {
    const ids: number[] = [];
    for (const { text, origin } of pieces)
      this.#encode(text, origin === 'ours' ? this.#inOurs : this.#everywhere, ids);
    return ids;
  }

  decode(ids: readonly number[]): string {
    const bytes: number[] = [];
    for (const id of ids) {
      if (id >= BYTE_START && id < this.controlStart) bytes.push(id - BYTE_START);
      else if (id >= this.controlStart) bytes.push(...this.#utf8.encode(this.texts[id]));
    }
    return new TextDecoder().decode(Uint8Array.from(bytes));
  }

  #encode(text: string, root: Node, ids: number[]): void {
    let from = 0;
    for (const { start, end, id } of phrasesIn(text, root)) {
      this.#plain(text.slice(from, start), ids);
      ids.push(id);
      from = end;
    }
    this.#plain(text.slice(from), ids);
  }

  #plain(text: string, ids: number[]): void {
    for (const [run] of text.matchAll(RUN)) for (const id of this.#run(run)) ids.push(id);
  }

  #run(run: string): readonly number[] {
    const kept = this.#kept.get(run);
    if (kept) return kept;
    const symbols = [...run];
    for (;;) {
      let best = Number.POSITIVE_INFINITY;
      let at = -1;
      for (let place = 0; place + 1 < symbols.length; place++) {
        const id = this.#parts.get(`${symbols[place]}${symbols[place + 1]}`);
        if (id !== undefined && id < best) [best, at] = [id, place];
      }
      if (at < 0) break;
      symbols.splice(at, 2, `${symbols[at]}${symbols[at + 1]}`);
    }
    const ids = symbols.flatMap(
      (symbol) =>
        this.#parts.get(symbol) ??
        this.#characters.get(symbol) ??
        [...this.#utf8.encode(symbol)].map((byte) => BYTE_START + byte),
    );
    if (this.#kept.size < MOST_KEPT) this.#kept.set(run, ids);
    return ids;
  }
}

interface Found {
  start: number;
  end: number;
  id: number;
}

/** Gives the phrases of a text in their order: of those that overlap the longest, as llama.cpp takes them. */
function phrasesIn(text: string, root: Node): Found[] {
  const all: Found[] = [];
  for (let start = 0; start < text.length; start++) {
    let at = root.next.get(text.charCodeAt(start));
    for (let end = start + 1; at; at = at.next.get(text.charCodeAt(end++)))
      if (at.id >= 0) all.push({ start, end, id: at.id });
  }
  all.sort((a, b) => b.end - b.start - (a.end - a.start) || a.id - b.id || a.start - b.start);
  const taken = new Uint8Array(text.length);
  const kept = all.filter(({ start, end }) => {
    if (taken[start] || taken[end - 1]) return false;
    // No longer one is inside of it: those came before, and reach over one of its ends.
    taken.fill(1, start, end);
    return true;
  });
  return kept.sort((a, b) => a.start - b.start);
}

function plant(root: Node, text: string, id: number): void {
  let at = root;
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place);
    let next = at.next.get(code);
    if (!next) {
      next = node();
      at.next.set(code, next);
    }
    at = next;
  }
  at.id = id;
}
