// Writes untrusted text to a terminal as it streams: control characters escaped, wrapped between words, with a margin.
// A word is written when it is complete; everything else at once.

import { widthOf } from '../visible-text.js';

export interface FlowOptions {
  write(text: string): void;
  /** Columns of the terminal that may be filled. */
  width: number;
  /** Stands before each line. Default none. */
  margin?: string;
  /** Columns of the first line that are taken already. Default: those of the margin, which is then written. */
  from?: number;
  /** `words`, the default, wraps between words, except in fenced code; `cut` wherever a line is full. */
  wrap?: 'words' | 'cut';
  /** Rows after which nothing more is written. Default: no limit. */
  rows?: number;
  style?(text: string): string;
  clean(text: string): string;
}

export class Flow {
  /** Whether text was left out at the end. */
  isCut = false;
  #column: number;
  #rows = 1;
  /** Characters that need the next piece: half a surrogate pair, a carriage return. */
  #held = '';
  #word = '';
  #spaces = '';
  /** Line breaks that are written when something follows. */
  #breaks = 0;
  #line = '';
  #fenced = false;
  #empty = true;
  readonly #margin: string;

  constructor(private readonly options: FlowOptions) {
    this.#margin = options.margin ?? '';
    this.#column = options.from ?? -1;
  }

  /** Whether only white space was written. */
  get isEmpty(): boolean {
    return this.#empty;
  }

  feed(text: string): void {
    for (const character of this.options.clean(this.#whole(text))) this.#add(character);
    if (this.options.wrap === 'cut' || this.#fenced) this.#flushWord();
  }

  /** Writes what is left; the cursor stays after it. */
  end(): void {
    for (const character of this.options.clean(this.#held)) this.#add(character);
    this.#held = '';
    this.#flushWord();
  }

  #whole(text: string): string {
    const all = (this.#held + text).replaceAll('\r\n', '\n');
    const last = all.charCodeAt(all.length - 1);
    const waits = last === 0x0d || (last >= 0xd800 && last <= 0xdbff);
    this.#held = waits ? all.slice(-1) : '';
    return waits ? all.slice(0, -1) : all;
  }

  #add(character: string): void {
    if (character === '\n') {
      this.#break();
      return;
    }
    this.#line += this.#line.length < 4 ? character : '';
    if (character === ' ' || character === '\t') {
      this.#flushWord();
      this.#spaces += character === '\t' ? '    ' : ' ';
      return;
    }
    this.#word += character;
    // Scripts without spaces break anywhere, and no word grows without end.
    if (this.options.wrap === 'cut' || widthOf(character) > 1 || this.#word.length > 200) this.#flushWord();
  }

  #break(): void {
    this.#flushWord();
    if (this.#line.startsWith('```')) this.#fenced = !this.#fenced;
    this.#line = '';
    this.#spaces = '';
    if (!this.#empty) this.#breaks++;
  }

  #flushWord(): void {
    if (this.#word === '') return;
    const word = this.#word;
    this.#word = '';
    while (this.#breaks > 0) {
      this.#newLine();
      this.#breaks--;
    }
    this.#startLine();
    const width = widthOf(word);
    if (this.#column + this.#spaces.length + width > this.options.width && this.#wraps(width)) {
      this.#spaces = '';
      this.#newLine();
      this.#startLine();
    }
    this.#put(this.#spaces + word, this.#spaces.length + width);
    this.#spaces = '';
    this.#empty = false;
  }

  /** Code is left to the terminal, so that it can be copied as it is; so are words longer than a line. */
  #wraps(width: number): boolean {
    const room = this.options.width - widthOf(this.#margin);
    return !this.#fenced && (width <= room || this.options.wrap === 'cut') && this.#column > 0;
  }

  #startLine(): void {
    if (this.#column >= 0) return;
    this.#column = 0;
    this.#put(this.#margin, widthOf(this.#margin), false);
  }

  #newLine(): void {
    if (this.#column < 0) this.#startLine();
    this.#rows++;
    this.#put('\n', 0, false);
    this.#column = -1;
  }

  #put(text: string, width: number, styled = true): void {
    if (this.#rows > (this.options.rows ?? Number.POSITIVE_INFINITY)) {
      this.isCut = true;
      return;
    }
    this.#column += width;
    if (text !== '') this.options.write(styled && this.options.style ? this.options.style(text) : text);
  }
}
