// Finds where JSON may begin in prose that is still arriving: at an opening bracket, with what stands before it.

import { blankEnd, isWordStart } from '../../text/json-tokens.js';

/** How a bracket stands: after nothing but white space or the opener of a fence, at the start of a line, or elsewhere. */
export interface JsonPlace {
  at: number;
  /** There is prose before it. */
  prose: boolean;
  /** Nothing but white space, or the opener of a fence, is before it on its line. */
  startsLine: boolean;
  /** It is the first thing in a fence. */
  fenced: boolean;
}

/** Longer starts of a line are prose: the opener of a fence is short. */
const LONGEST_FENCE = 40;
const PROSE = 'x'.repeat(LONGEST_FENCE);

export class JsonFinder {
  /** The position of the next character. */
  #at = 0;
  /** The start of the current line. */
  #line = '';
  #prose = false;
  /** The last line that is not blank opens a fence. */
  #fenced = false;
  /** A fence is open. */
  #open = false;

  constructor(readonly firsts: string) {}

  /** Reads on to the next place, or to the end of the piece. Gives the place, and how much of the piece is before it. */
  next(piece: string): { place: JsonPlace; before: number } | undefined {
    for (let here = 0; here < piece.length; here++) {
      const char = piece.charAt(here);
      if (this.firsts.includes(char)) {
        if (canBegin(char, piece, here + 1)) {
          this.#at += here;
          return { place: this.#place(), before: here };
        }
        this.#isProse();
      } else if (char === '\n') this.#endLine();
      else if (this.#line.length < LONGEST_FENCE) this.#line += char;
    }
    this.#at += piece.length;
    return undefined;
  }

  /** Passes over so many characters: what began at the last place was prose. */
  skip(length: number): void {
    this.#at += length;
    this.#isProse();
  }

  #isProse(): void {
    this.#line = PROSE;
    this.#prose = true;
    this.#fenced = false;
  }

  #endLine(): void {
    const line = this.#line.trim();
    this.#line = '';
    if (line === '') return;
    const mark = isFence(line);
    // The line that closes a fence of something else is prose, like what was in it.
    this.#fenced = mark && !this.#open;
    if (mark) this.#open = !this.#open;
    this.#prose ||= !this.#fenced;
  }

  #place(): JsonPlace {
    const head = this.#line.trim();
    const fence = isFence(head) && !this.#open;
    const startsLine = head === '' || fence;
    return {
      at: this.#at,
      prose: this.#prose || !startsLine,
      startsLine,
      fenced: fence || (head === '' && this.#fenced),
    };
  }
}

/** Whether an object can begin here, by what follows its bracket, if that is there. Most braces in code begin none. */
function canBegin(bracket: string, text: string, from: number): boolean {
  const next = text.charAt(blankEnd(text, from));
  return bracket !== '{' || next === '' || isWordStart(next) || `"'},]/`.includes(next);
}

/** Whether a line without its white space is the mark of a fence, with the name of a language. */
function isFence(line: string): boolean {
  return /^(?:```|~~~)[\w+-]*$/.test(line);
}

/** Gives text that is in a fence without it; undefined if it is in none. */
export function unfenced(text: string): string | undefined {
  const lines = text.trim().split('\n');
  const [first = '', ...others] = lines;
  const last = others.pop();
  return last !== undefined && isFence(first.trim()) && isFence(last.trim()) ? others.join('\n') : undefined;
}

/** Gives the text before the opening mark of a fence, with which it ends. */
export function beforeFence(text: string): string {
  return text.slice(0, text.trimEnd().lastIndexOf('\n') + 1);
}

/** Gives the text after the closing mark of a fence. */
export function afterFence(text: string): string {
  const rest = text.trimStart();
  if (!rest.startsWith('```') && !rest.startsWith('~~~')) return text;
  return rest.slice(3);
}
