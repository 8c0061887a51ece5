// Where in a text something is, for people: line and column, and the line with a caret under the place.

import type { Range } from '@dragoman/core';
import { cutTo, visibleText, widthOf } from './visible-text.js';

export interface LineColumn {
  /** From 1. */
  line: number;
  /** From 1, in characters. */
  column: number;
}

/** Looks up places in one text. The lines are counted once. */
export class Places {
  readonly #starts: number[] = [0];
  /** Where was looked last: what follows on the same line is counted from there. */
  #last = { line: 0, offset: 0, column: 1 };

  constructor(readonly text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  of(offset: number): LineColumn {
    const line = this.#lineOf(offset);
    const start = this.#starts[line] as number;
    const known = this.#last.line === line && this.#last.offset <= offset;
    let { offset: at, column } = known ? this.#last : { offset: start, column: 1 };
    for (; at < offset; at++) if (!this.#isInside(at + 1)) column++;
    this.#last = { line, offset, column };
    return { line: line + 1, column };
  }

  /** Two lines of at most `width` columns: the text around the start of the range, and carets under it. */
  excerpt([start, end]: Range, width: number): [text: string, carets: string] {
    const line = this.#lineOf(start);
    const from = this.#starts[line] as number;
    const to = (this.#starts[line + 1] ?? this.text.length + 1) - 1;
    const stop = Math.min(Math.max(end, start), to);
    // A long line is cut so that a third of what is shown is before the place.
    const room = Math.floor(width / 3);
    const fits = to - from <= width && widthOf(flat(this.text.slice(from, to))) <= width;
    const cut = !fits && start - from > room ? this.#between(start - room) : from;
    const lead = (cut > from ? '…' : '') + flat(this.text.slice(cut, start));
    const rest = flat(this.text.slice(start, Math.min(to, start + width)));
    const whole = lead + rest;
    const shown = widthOf(whole) > width || start + width < to ? `${cutTo(whole, width - 1)}…` : whole;
    const marked = widthOf(flat(this.text.slice(start, Math.min(stop, start + width))));
    const carets = '^'.repeat(Math.max(1, Math.min(marked, width - widthOf(lead))));
    return [shown, ' '.repeat(widthOf(lead)) + carets];
  }

  /** Not inside a pair of surrogates. */
  #between(offset: number): number {
    const code = this.text.charCodeAt(offset);
    return code >= 0xdc00 && code < 0xe000 ? offset + 1 : offset;
  }

  /** Inside a pair of surrogates. */
  #isInside(offset: number): boolean {
    const code = this.text.charCodeAt(offset);
    if (code < 0xdc00 || code >= 0xe000) return false;
    const before = this.text.charCodeAt(offset - 1);
    return before >= 0xd800 && before < 0xdc00;
  }

  /** The index of the line that holds the offset. */
  #lineOf(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Text of one line in which every character has a width. */
function flat(text: string): string {
  return visibleText(text.toWellFormed()).replaceAll('\t', ' ');
}
