// Removes secrets from text before it is written: known secrets, and words that look like keys. It works on the finished
// line, so that no caller has to know which field holds a secret.

import { keyWordAt, nextWord } from './key-words.js';
import { type PlainText, toPlainText } from './plain-text.js';
import { SecretSet } from './secret-set.js';

export interface Redactor {
  /**
   * Hides a secret that a client sent, until it is released and for a while after. Short ones are ignored: a client
   * could otherwise erase words from the log.
   */
  hide(secret: string): () => void;
  /** The text without secrets and key-like words. `json`: a line of JSON, which stays one. */
  redact(line: string, form?: 'text' | 'json'): string;
  /** The text without known secrets, otherwise unchanged. */
  redactKnown(text: string): string;
}

export const HIDDEN = '[hidden]';

/** Secrets from the configuration that are shorter are no secrets. */
const MIN_OWN = 4;
const MIN_CLIENTS = 12;
/** The number of released client secrets that are still hidden. */
const MAX_IDLE = 1024;
/** The number of client secrets in all, if none is released. */
const MAX_HELD = 16_384;

export function createRedactor(secrets: Iterable<string> = []): Redactor {
  const set = new SecretSet();
  const own = new Set([...secrets].map(plain).filter(({ length }) => length >= MIN_OWN));
  for (const secret of own) set.add(secret);
  const held = new Held(set);
  return {
    hide(secret) {
      const known = plain(secret);
      if (known.length < MIN_CLIENTS || own.has(known)) return () => {};
      return held.hold(known);
    },
    redact: (line, form = 'text') => rewrite(line, set, true, form === 'json'),
    redactKnown: (text) => rewrite(text, set, false, false),
  };
}

function plain(secret: string): string {
  return toPlainText(secret.trim()).folded;
}

/** Secrets with the number of requests that hold them, the longest unused first. */
class Held {
  readonly #holds = new Map<string, number>();

  constructor(readonly set: SecretSet) {}

  hold(secret: string): () => void {
    const holds = this.#holds.get(secret) ?? 0;
    if (holds === 0) this.set.add(secret);
    this.#put(secret, holds + 1);
    if (this.#holds.size > MAX_IDLE) this.#forget();
    let done = false;
    return () => {
      if (!done) this.#release(secret);
      done = true;
    };
  }

  #release(secret: string): void {
    const holds = this.#holds.get(secret);
    if (holds !== undefined) this.#put(secret, Math.max(0, holds - 1));
  }

  #put(secret: string, holds: number): void {
    this.#holds.delete(secret);
    this.#holds.set(secret, holds);
  }

  /** Evicts one secret for each that is added: the oldest released one, or the oldest of all if there are too many. */
  #forget(): void {
    let looked = 0;
    for (const [secret, holds] of this.#holds) {
      if (holds === 0 || this.#holds.size > MAX_HELD) {
        this.#holds.delete(secret);
        this.set.delete(secret);
        return;
      }
      // Those that are held are moved back, so that the search stays short.
      this.#put(secret, holds);
      if (++looked === 8) return;
    }
  }
}

// --- the pass over a text ----------------------------------------------------------------------------------

interface FoundSecret {
  start: number;
  end: number;
}

function rewrite(line: string, secrets: SecretSet, words: boolean, json: boolean): string {
  const plainText = toPlainText(line);
  const found = [...knownIn(plainText, secrets), ...(words ? wordsIn(plainText, json) : [])];
  if (found.length === 0) return line;
  const strings = json ? new Strings(plainText) : undefined;
  let out = '';
  let written = 0;
  for (const range of merged(found)) {
    const mark = strings?.fit(range) ?? HIDDEN;
    if (range.start >= range.end) continue;
    const start = Math.max(written, plainText.start(range.start));
    out += line.slice(written, start) + mark;
    written = plainText.end(range.end - 1);
  }
  return out + line.slice(written);
}

function* knownIn(plainText: PlainText, secrets: SecretSet): Generator<FoundSecret> {
  const { folded } = plainText;
  for (let at = secrets.next(folded, 0); at < folded.length; at = secrets.next(folded, at + 1)) {
    const length = secrets.longestAt(folded, at);
    if (length > 0) yield { start: at, end: at + length };
  }
  for (const at of plainText.numbered) {
    const bare = plainText.bare(at);
    if (bare !== undefined) yield* knownInside(bare, plainText, at, secrets);
  }
}

/** A backslash before a secret is not its own: `\\u00e1…` may be a path before `u00e1…`, and no letter. */
function* knownInside(
  bare: string,
  { folded }: PlainText,
  at: number,
  secrets: SecretSet,
): Generator<FoundSecret> {
  for (let skip = 0; skip < bare.length; skip++) {
    const lead = bare.slice(skip);
    const length = secrets.longestAt(folded, at + 1, lead);
    if (length > 0) yield { start: at, end: at + 1 + Math.max(0, length - lead.length) };
  }
}

/** Skips what a word has hidden, so that words inside words cost nothing. */
function* wordsIn(plainText: PlainText, json: boolean): Generator<FoundSecret> {
  const { text } = plainText;
  for (let at = nextWord(text, 0); at < text.length; at = nextWord(text, at + 1)) {
    const word = keyWordAt(text, at);
    if (!word) continue;
    let [start, end] = word;
    if (json) for (end = start; end < word[1] && !plainText.isFrame(end); ) end++;
    if (end > start) yield { start, end };
    at = Math.max(at, end - 1);
  }
}

function merged(found: FoundSecret[]): FoundSecret[] {
  const ranges: FoundSecret[] = [];
  for (const range of found.sort((a, b) => a.start - b.start)) {
    const last = ranges.at(-1);
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else ranges.push(range);
  }
  return ranges;
}

/** The strings of a line of JSON: what is hidden stays inside one, or takes the place of a whole number. */
class Strings {
  #at = 0;
  #inside = false;

  constructor(readonly plainText: PlainText) {}

  /** Fits a range to the strings and gives the replacement. Ranges must come in order. */
  fit(range: FoundSecret): string {
    this.#goTo(range.start);
    if (this.plainText.isFrame(range.start)) this.#goTo(++range.start);
    let end = range.start;
    while (end < range.end && !this.plainText.isFrame(end)) end++;
    range.end = end;
    if (this.#inside) return HIDDEN;
    while (isNumeral(this.plainText.text.charAt(range.start - 1))) range.start--;
    while (isNumeral(this.plainText.text.charAt(range.end))) range.end++;
    return JSON.stringify(HIDDEN);
  }

  #goTo(at: number): void {
    for (; this.#at < at; this.#at++) if (this.plainText.isFrame(this.#at)) this.#inside = !this.#inside;
  }
}

function isNumeral(character: string): boolean {
  return character !== '' && '0123456789.+-eE'.includes(character);
}
