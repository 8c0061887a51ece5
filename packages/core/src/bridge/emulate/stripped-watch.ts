// Looks in text for calls whose special tokens an engine left out: `functions.get_weather:0{"city": …` of kimi-k2. They
// stay text, since nothing shows where they end; but they are reported, unless the text quotes them.
//
// Text that may be the beginning of one is held back, by at most the longest beginning.

import { type Match, NO, NOT_YET } from '../../engine/markers.js';
import type { Issue } from '../../model/index.js';
import type { StrippedHead } from '../engines/special-tokens.js';
import { QuoteScan } from '../heal/quote-scan.js';

/** The longest number, and the longest white space before the arguments. */
const LONGEST_RUN = 8;

/** Text is scanned for quotations in pieces of this length: in those of a stream it costs several times as much. */
const MOST_UNREAD = 4096;

export class StrippedWatch {
  #held = '';
  readonly #quotes = new QuoteScan(undefined, true);
  /** Text that was given, and that `#quotes` has not read. */
  #unread = '';
  /** The heads that begin alike, by what they have in common. There may be hundreds of tools. */
  readonly #groups: readonly { common: string; heads: readonly StrippedHead[] }[];

  constructor(heads: readonly StrippedHead[]) {
    const firsts = [...new Set(heads.map(({ start }) => start.charAt(0)))];
    this.#groups = firsts.map((first) => {
      const alike = heads.filter(({ start }) => start.startsWith(first));
      return { common: alike.map(({ start }) => start).reduce(commonStart), heads: alike };
    });
  }

  /** Gives the text that can be delivered now. If a call was found: its tool, and where the text has its beginning. */
  feed(piece: string): { text: string; found?: { tool: string; at: number } } {
    if (this.#groups.length === 0) return { text: piece };
    const text = this.#held + piece;
    this.#held = '';
    let passed = 0;
    for (let at = 0; at < text.length; at++) {
      for (const head of this.#headsAt(text, at)) {
        const match = matchHead(text, at, head);
        if (match === NO) continue;
        this.#pass(text.slice(passed, at));
        passed = at;
        if (match === NOT_YET) {
          this.#held = text.slice(at);
          return { text: text.slice(0, at) };
        }
        if (this.#isQuoted()) break;
        this.#pass(text.slice(at));
        return { text, found: { tool: head.tool, at } };
      }
    }
    this.#pass(text.slice(passed));
    return { text };
  }

  #pass(text: string): void {
    this.#unread += text;
    if (this.#unread.length > MOST_UNREAD) this.#readQuotes();
  }

  /** Whether what comes next is quoted. */
  #isQuoted(): boolean {
    this.#readQuotes();
    return this.#quotes.isQuoting();
  }

  #readQuotes(): void {
    this.#quotes.readAll(this.#unread);
    this.#unread = '';
  }

  #headsAt(text: string, at: number): readonly StrippedHead[] {
    const group = this.#groups.find(({ common }) => common.charCodeAt(0) === text.charCodeAt(at));
    return group?.common.startsWith(text.slice(at, at + group.common.length)) ? group.heads : [];
  }

  /** Gives the held text, since something other than text follows, or nothing. */
  flush(): string {
    const text = this.#held;
    this.#held = '';
    this.#pass(text);
    return text;
  }
}

function commonStart(one: string, other: string): string {
  let end = 0;
  while (end < one.length && one.charAt(end) === other.charAt(end)) end++;
  return one.slice(0, end);
}

/** Matches `start`, perhaps `end`, and the brace of the arguments. */
function matchHead(text: string, at: number, { start, end }: StrippedHead): Match {
  const seen = text.slice(at, at + start.length);
  if (seen.length < start.length) return start.startsWith(seen) ? NOT_YET : NO;
  if (seen !== start) return NO;
  const behind = at + start.length;
  const ending = matchEnd(text, behind, end);
  if (ending === NOT_YET) return NOT_YET;
  return matchBrace(text, ending > 0 ? behind + ending : behind);
}

function matchEnd(text: string, from: number, end: string): Match {
  let at = from;
  for (const character of end) {
    const run = isDigit(character)
      ? runOf(text, at, isDigit)
      : isSpace(character)
        ? runOf(text, at, isSpace)
        : -1;
    if (run < 0) {
      if (at >= text.length) return NOT_YET;
      if (text.charAt(at) !== character) return NO;
      at++;
    } else {
      if (at + run >= text.length) return run > LONGEST_RUN ? NO : NOT_YET;
      if (run === 0 && isDigit(character)) return NO;
      at += run;
    }
  }
  return at - from;
}

function matchBrace(text: string, at: number): Match {
  const run = runOf(text, at, isSpace);
  if (at + run >= text.length) return run > LONGEST_RUN ? NO : NOT_YET;
  return text.charAt(at + run) === '{' ? 1 : NO;
}

function runOf(text: string, from: number, fits: (character: string) => boolean): number {
  let at = from;
  while (at < text.length && fits(text.charAt(at)) && at - from <= LONGEST_RUN) at++;
  return at - from;
}

const isDigit = (character: string) => character >= '0' && character <= '9';
const isSpace = (character: string) => character === ' ' || character === '\n';

/** Makes the issue. `advice` is what to do about it. */
export function strippedCall(tool: string, at: number, advice: string): Issue {
  const message = `A call of ${tool} has no markers: the upstream left out the special tokens that it is made of. To get them, ${advice}.`;
  return { code: 'stripped-markers', range: [at, at], message };
}
