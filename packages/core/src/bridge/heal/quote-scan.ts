// Where a text is quoted code. Text that talks about calls shows them in fences, in back quotes, in block quotes,
// indented, in a string, in <pre>, or in the middle of a sentence; a call that is meant stands by itself.
//
//   Write `<tool_call>…</tool_call>` and wait.        ```xml                    > <tool_call>…
//          ^ a call here is quoted                    <tool_call>… quoted
//                                                     ```
//
// A reply that is nothing but a call in a fence is no talk: it is bare, and in a bare reply a call counts.
// Reads plain text only. Calls are passed by `enter` and `leave`: what stands in them is not Markdown.

import { isSpace } from '../../text/characters.js';

/** A code fence that is open. */
export interface CodeFence {
  mark: string;
  length: number;
}

/** A place at which a call stands. Whether it is quoted may only show behind it. */
export interface CallPlace {
  /** It counts only in a bare reply. */
  quoted: boolean;
  /** Openings that make it quoted if they are closed behind it. */
  openings: readonly number[];
  /** It stood in a thought that closed behind it. */
  thought: boolean;
}

/** Elements whose content is shown, not meant. */
const shown = new Set(['pre', 'code', 'kbd', 'samp', 'xmp', 'textarea', 'script', 'style']);
const TAG_LENGTH = 12;
/** How much of a line is kept to tell a fence. */
const HEAD_LENGTH = 80;
const TAB = 4;

export class QuoteScan {
  /** Nothing was said but fences, back quotes and white space. */
  bare: boolean;
  /** The fence that is open. */
  fence: CodeFence | undefined;
  /** Reasoning is open, so that its closer belongs to it. */
  inThought = false;
  #places: CallPlace[] = [];
  /** Those that have text before them on this line: text behind them makes them mentions. */
  #onLine: CallPlace[] = [];
  #open = new Map<string, number>();
  #count = 0;
  // The line so far: its indentation, its first characters, whether a call stands on it, its back quotes.
  #indent = 0;
  #head = '';
  #called = false;
  #ticks = 0;
  /** The line before was blank, or indented code. */
  #mayIndent = true;
  // The run of equal characters, the tag, and the characters that are being read.
  #run = '';
  #runLength = 0;
  #tag: string | undefined;
  /** The last two characters. */
  #before = '';

  /** `reasoning`: tags whose closer, where nothing opened it, turns what stood before it into a thought. */
  constructor(
    readonly reasoning: { open: string; close: string } | undefined,
    bare: boolean,
  ) {
    this.bare = bare;
  }

  /** The reply is in a fence and says more than calls: nothing in the fence counts. */
  get isFenced(): boolean {
    return this.fence !== undefined && !this.bare;
  }

  /** A line break here would open a quoted fence. */
  get opensFence(): boolean {
    return !this.bare && !this.fence && !this.#called && this.#fenceOf() !== undefined;
  }

  /** Where, in text that comes next, a line may end that opens a quoted fence; -1 if none shows. */
  fenceLineEnd(text: string): number {
    if (this.bare) return -1;
    if (this.#fenceOf()) return text.indexOf('\n');
    const marks = [text.indexOf('```'), text.indexOf('~~~')].filter((at) => at >= 0);
    return marks.length > 0 ? text.indexOf('\n', Math.min(...marks)) : -1;
  }

  /**
   * Reads plain text, and says how much. It stops where a fence shows, or turns out, to be quoted.
   * `silent`: the text is leftover markup, which says nothing.
   */
  read(text: string, silent = false): number {
    for (let at = 0; at < text.length; at++) {
      this.#readOne(text.charAt(at), silent);
      if (this.isFenced) return at + 1;
    }
    return text.length;
  }

  /** Inside a quoted fence: reads up to its end, and says how much. */
  readFence(text: string): number {
    for (let at = 0; at < text.length; at++) {
      const character = text.charAt(at);
      if (character !== '\n') this.#addToHead(character);
      else {
        this.#endFenceLine();
        if (!this.fence) return at + 1;
      }
    }
    return text.length;
  }

  /** A call begins here. */
  enter(): CallPlace {
    this.#endRun();
    this.#tag = undefined;
    const place: CallPlace = {
      quoted: this.fence !== undefined || this.#isQuotedLine(),
      openings: [...this.#open.values()],
      thought: false,
    };
    this.#places.push(place);
    if (this.#head !== '') this.#onLine.push(place);
    return place;
  }

  /** The call is passed, and its closing tags, and white space behind them. */
  leave(tail: string): void {
    this.#called = true;
    this.#before = '';
    for (const part of tail.split('<').slice(1))
      this.#readThought(`<${part.slice(0, part.indexOf('>') + 1)}`);
    this.read(tail.slice(tail.trimEnd().length));
  }

  /** What was entered looked like a call, and says something. */
  passOver(place: CallPlace): void {
    this.#places = this.#places.filter((one) => one !== place);
    this.#onLine = this.#onLine.filter((one) => one !== place);
    this.#say();
    this.#called = true;
    this.#before = '';
  }

  /** No more text: the last line counts as one. */
  finish(): void {
    this.#endRun();
    this.#endLine();
  }

  // --- characters ------------------------------------------------------------------------------------------

  #readOne(character: string, silent: boolean): void {
    if (character !== this.#run) this.#endRun();
    if (character === '\n') {
      this.#endLine();
    } else if (isSpace(character.charCodeAt(0))) {
      this.#space(character);
    } else {
      this.#addToHead(character);
      if (!silent) this.#sayOne(character);
      if (character === '`') this.#ticks++;
      if ((character === '`' && !this.#before.endsWith('\\')) || character === '"' || character === "'") {
        this.#run = character;
        this.#runLength++;
      }
    }
    this.#readTag(character);
    this.#before = this.#before.slice(-1) + character;
  }

  #space(character: string): void {
    if (this.#head === '' && !this.#called) this.#indent += character === '\t' ? TAB : 1;
    else this.#addToHead(character);
  }

  #addToHead(character: string): void {
    if (this.#head === '' && isSpace(character.charCodeAt(0))) return;
    if (this.#head.length < HEAD_LENGTH) this.#head += character;
  }

  /** A back quote, or what may be the line of a fence, leaves a reply bare. Anything else says something. */
  #sayOne(character: string): void {
    for (const place of this.#onLine) place.quoted = true;
    if (this.#onLine.length > 0) this.#onLine = [];
    // What was said cannot be said again: in most of a text nothing is left to be asked.
    if (!this.bare) return;
    const mark = this.#head.slice(0, 3);
    const mayBeFence = !this.#called && (mark === '```' || mark === '~~~');
    const isMark = character === '`' || (character === '~' && this.#head.replaceAll('~', '') === '');
    if (this.fence ? character !== this.fence.mark : !mayBeFence && !isMark) this.#say();
  }

  #say(): void {
    this.bare = false;
  }

  // --- lines -----------------------------------------------------------------------------------------------

  #endLine(): void {
    if (this.fence) this.#endFenceLine();
    else {
      const opened = this.#called ? undefined : this.#fenceOf();
      const isBlank = this.#head === '' && !this.#called;
      if (opened) this.fence = opened;
      else if (this.#head.startsWith('```') && this.#head.replaceAll('`', '').trim() !== '') this.#say();
      if (opened || isBlank) this.#endParagraph();
      this.#mayIndent = isBlank || this.#isIndented() || opened !== undefined;
      this.#startLine();
    }
  }

  #startLine(): void {
    this.#onLine = [];
    this.#indent = 0;
    this.#head = '';
    this.#called = false;
    this.#ticks = 0;
  }

  /** Back quotes that were not closed within their paragraph stand for themselves. */
  #endParagraph(): void {
    for (const key of [...this.#open.keys()]) if (key.startsWith('`')) this.#open.delete(key);
  }

  #endFenceLine(): void {
    const { mark, length } = this.fence as CodeFence;
    const line = this.#head.trimEnd();
    if (line.length >= length && line.replaceAll(mark, '') === '' && !this.#called) {
      this.fence = undefined;
      this.#mayIndent = true;
      this.#endParagraph();
    } else if (line !== '') this.#say();
    this.#startLine();
  }

  #fenceOf(): CodeFence | undefined {
    return fenceOf(this.#head, this.#ticks);
  }

  #isIndented(): boolean {
    return this.#mayIndent && this.#indent >= TAB;
  }

  /** Indented code, a block quote, or a line that a patch adds or takes away. */
  #isQuotedLine(): boolean {
    if (this.#head === '') return this.#isIndented() && !this.#called;
    return this.#head.startsWith('>') || this.#head === '+' || this.#head === '-';
  }

  // --- what opens and closes -------------------------------------------------------------------------------

  /** Back quotes close back quotes of the same number; three quotes, three quotes. */
  #endRun(): void {
    const length = this.#runLength;
    if (this.#run === '`' && length > 0) this.#toggle('`'.repeat(Math.min(length, HEAD_LENGTH)));
    else if (length === 3) this.#toggle(this.#run.repeat(3));
    this.#run = '';
    this.#runLength = 0;
  }

  #toggle(key: string): void {
    if (this.#open.has(key)) this.#close(key);
    else this.#open.set(key, ++this.#count);
  }

  #close(key: string): void {
    const opening = this.#open.get(key);
    if (opening === undefined) return;
    this.#open.delete(key);
    for (const place of this.#places) if (place.openings.includes(opening)) place.quoted = true;
  }

  #readTag(character: string): void {
    if (character === '<') this.#tag = '';
    else if (this.#tag === undefined) {
      if (character === '>' && this.#before === '--') this.#close('<!--');
    } else if (/[a-z/!-]/i.test(character) && this.#tag.length < TAG_LENGTH) {
      this.#tag += character.toLowerCase();
      if (this.#tag === '!--') this.#endTag(this.#tag);
    } else this.#endTag(this.#tag);
  }

  #endTag(tag: string): void {
    this.#tag = undefined;
    if (tag === '!--') this.#open.set('<!--', ++this.#count);
    else if (shown.has(tag) && !this.#open.has(tag)) this.#open.set(tag, ++this.#count);
    else if (tag.startsWith('/')) this.#close(tag.slice(1));
    this.#readThought(`<${tag}>`);
  }

  #readThought(tag: string): void {
    if (tag === this.reasoning?.open) this.inThought = true;
    else if (tag === this.reasoning?.close) {
      if (!this.inThought) for (const place of this.#places) place.thought = true;
      this.inThought = false;
    }
  }

  /** Places before this one are settled and need not be watched. */
  forget(): void {
    this.#places = [];
    this.#onLine = [];
  }
}

/** Gives the code fence that a line opens; the line may be indented or in a list. `ticks`: all back quotes on it. */
function fenceOf(line: string, ticks: number): CodeFence | undefined {
  const bare = withoutBullets(line);
  const mark = bare.charAt(0);
  if (mark !== '`' && mark !== '~') return undefined;
  let length = 0;
  while (bare.charAt(length) === mark) length++;
  // Another back quote after it makes it inline code.
  if (length < 3 || (mark === '`' && ticks > length)) return undefined;
  return { mark, length };
}

/** Removes list bullets (`- `, `12. `), which may precede a fence. */
function withoutBullets(line: string): string {
  return line.replace(/^(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]{1,4}){1,3}/, '');
}
