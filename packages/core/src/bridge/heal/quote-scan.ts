// Finds where a text quotes code. Text about calls shows them in fences, in back quotes, in block quotes, indented, in a
// string, in <pre>, or in the middle of a sentence. A call that is meant is on lines of its own.
//
//   Write `<tool_call>…</tool_call>` and wait.        ```xml                    > <tool_call>…
//          ^ a call here is quoted                    <tool_call>… quoted
//                                                     ```
//
// Other places where text shows calls are found by lines (example-scan.ts).
//
// A reply that is nothing but a call in a fence is "bare", and in a bare reply a call in a fence counts. The scan reads
// plain text only: `enter` and `leave` mark a call, whose content is not Markdown.

import { isSpace } from '../../text/characters.js';
import { type CodeFence, fenceOf } from './code-fence.js';
import type { ExampleScan } from './example-scan.js';

/** The place of a call. Only the text after it may show whether it is quoted. */
export interface CallPlace {
  /** The call counts only in a bare reply. */
  quoted: boolean;
  /** Quotations that are open here: if one is closed after the call, the call is quoted. */
  openings: readonly number[];
  /** The call was inside reasoning that was closed after it. */
  thought: boolean;
  /** Text goes on behind the call as if nothing was called: it is a mention, unless another call follows that counts. */
  goesOn: boolean;
  /** There is text between the call and the next. */
  hasTextBehind: boolean;
  /** Why it is quoted: the end of a sentence. */
  why: string;
}

const MARKDOWN = 'the text quotes it';

/** HTML elements whose content is shown and not meant as a call. */
const shown = new Set(['pre', 'code', 'kbd', 'samp', 'xmp', 'textarea', 'script', 'style']);
const TAG_LENGTH = 12;
/** How much of a line is kept to recognise a fence. */
const HEAD_LENGTH = 80;
const TAB = 4;

export class QuoteScan {
  /** The reply so far is only fences, back quotes, white space and calls. */
  bare: boolean;
  /** The fence that is open. */
  fence: CodeFence | undefined;
  /** Reasoning was opened, so that its closing tag belongs to it. */
  inThought = false;
  #places: CallPlace[] = [];
  #last: CallPlace | undefined;
  /** Calls with text before them on this line: text after them as well makes them mentions. */
  #onLine: CallPlace[] = [];
  #open = new Map<string, number>();
  #count = 0;
  // The line so far: its indentation, its first characters, whether it holds a call, its back quotes.
  #indent = 0;
  #head = '';
  #called = false;
  #ticks = 0;
  /** The line before was blank, or indented code. */
  #mayIndent = true;
  // The run of equal quotes and the tag that are being read.
  #run = '';
  #runLength = 0;
  #tag: string | undefined;
  /** The last two characters. */
  #before = '';

  /**
   * `reasoning`: tags whose closer, where none was opened, makes the text before it reasoning. `examples`: finds calls
   * that are only shown; without it only quotations are found.
   */
  constructor(
    readonly reasoning: { open: string; close: string } | undefined,
    bare: boolean,
    readonly examples?: ExampleScan,
  ) {
    this.bare = bare;
    if (examples) examples.onClose = (opening) => this.#quote(-opening);
  }

  /** The text is in a fence and the reply is not bare: no call in the fence counts. */
  get isFenced(): boolean {
    return this.fence !== undefined && !this.bare;
  }

  /** A line break here would open a quoted fence. */
  get opensFence(): boolean {
    return !this.bare && !this.fence && !this.#called && this.#fenceOf() !== undefined;
  }

  /** Gives where, in the text that comes next, a line may end that opens a quoted fence; -1 if there is none. */
  fenceLineEnd(text: string): number {
    if (this.bare) return -1;
    if (this.#fenceOf()) return text.indexOf('\n');
    const marks = [text.indexOf('```'), text.indexOf('~~~')].filter((at) => at >= 0);
    return marks.length > 0 ? text.indexOf('\n', Math.min(...marks)) : -1;
  }

  /**
   * Reads plain text and gives how much it read. It stops where a quoted fence opens, or a fence turns out to be quoted.
   * `silent`: the text is leftover markup, which leaves a reply bare.
   */
  read(text: string, silent = false): number {
    const length = this.#readQuotes(text, silent);
    this.examples?.read(length < text.length ? text.slice(0, length) : text, silent);
    return length;
  }

  #readQuotes(text: string, silent: boolean): number {
    for (let at = 0; at < text.length; at++) {
      at += this.#readPlain(text, at);
      if (at >= text.length) break;
      this.#readOne(text.charAt(at), silent);
      if (this.isFenced) return at + 1;
    }
    return text.length;
  }

  /** Reads up to the end of a quoted fence and gives how much it read. */
  readFence(text: string): number {
    this.examples?.passFence();
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

  /** Reads plain text, quoted fences included. */
  readAll(text: string): void {
    for (let rest = text; rest !== ''; )
      rest = rest.slice(this.isFenced ? this.readFence(rest) : this.read(rest));
  }

  /** Whether what comes next is quoted, as far as the text before it shows. It must not begin with a quote. */
  isQuoting(): boolean {
    this.#endRun();
    return this.isFenced || this.#isQuotedLine() || this.#open.size > 0;
  }

  /** Marks the start of a call. */
  enter(): CallPlace {
    this.#endRun();
    this.#tag = undefined;
    const shown = this.examples?.enter();
    this.#noteBehind();
    const place: CallPlace = {
      quoted: this.fence !== undefined || this.#isQuotedLine() || shown !== undefined,
      openings: [...this.#open.values(), ...(this.examples?.openings.map((opening) => -opening) ?? [])],
      thought: false,
      goesOn: false,
      hasTextBehind: false,
      why: shown ?? MARKDOWN,
    };
    this.#places.push(place);
    this.#last = place;
    if (this.#head !== '') this.#onLine.push(place);
    return place;
  }

  /** Marks the end of a call, and reads its closing tags and the white space after them. */
  leave(tail: string): void {
    this.examples?.leave();
    this.#called = true;
    this.#before = '';
    for (const part of tail.split('<').slice(1))
      this.#readThought(`<${part.slice(0, part.indexOf('>') + 1)}`);
    this.read(tail.slice(tail.trimEnd().length));
  }

  /** Counts what was entered as plain text: it only looked like a call. */
  passOver(place: CallPlace): void {
    this.#last = undefined;
    this.#places = this.#places.filter((one) => one !== place);
    this.#onLine = this.#onLine.filter((one) => one !== place);
    this.#say();
    this.#called = true;
    this.#before = '';
  }

  /** Ends the text, and with it the last line. */
  finish(): void {
    this.#endRun();
    this.#endLine();
    this.examples?.finish();
    this.#noteBehind();
    let next: CallPlace | undefined;
    for (const place of this.#places.toReversed()) {
      const isFollowed = next !== undefined && !next.quoted && !next.thought;
      // Text that leads to an example explains the one before it, too.
      const leads = next?.quoted === true && place.hasTextBehind;
      if ((leads || (place.goesOn && !isFollowed)) && !place.quoted) {
        place.quoted = true;
        place.why = 'the text goes on behind it as if nothing was called';
      }
      next = place;
    }
  }

  /** Notes for the last call what the text behind it shows, now that the next begins or the text ends. */
  #noteBehind(): void {
    if (!this.#last || !this.examples) return;
    this.#last.goesOn = this.examples.goesOn;
    this.#last.hasTextBehind = this.examples.hasTextBehind;
  }

  // --- characters ------------------------------------------------------------------------------------------

  /** Reads characters in the middle of a line that quote nothing, which most are, at once. Gives how many. */
  #readPlain(text: string, from: number): number {
    const isInLine = this.#head !== '' && this.#run === '' && this.#tag === undefined;
    if (!isInLine || this.bare || this.#onLine.length > 0) return 0;
    let end = from;
    while (end < text.length && !acts(text.charCodeAt(end))) end++;
    if (end === from) return 0;
    const room = HEAD_LENGTH - this.#head.length;
    if (room > 0) this.#head += text.slice(from, Math.min(end, from + room));
    this.#before = (this.#before + text.slice(Math.max(from, end - 2), end)).slice(-2);
    return end - from;
  }

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

  /** Ends the bareness of a reply at any character but a back quote and what may be the line of a fence. */
  #sayOne(character: string): void {
    for (const place of this.#onLine) place.quoted = true;
    if (this.#onLine.length > 0) this.#onLine = [];
    // Most text comes after the reply stopped being bare.
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

  /** Forgets back quotes that were not closed within their paragraph: they are plain characters. */
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

  /** Whether this line is indented code, a block quote, or an added or removed line of a patch. */
  #isQuotedLine(): boolean {
    if (this.#head === '') return this.#isIndented() && !this.#called;
    return this.#head.startsWith('>') || this.#head === '+' || this.#head === '-';
  }

  // --- quotations ----------------------------------------------------------------------------------------

  /** Opens or closes a quotation: by back quotes of the same number, or by three quotes. */
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
    this.#quote(opening);
  }

  /** Counts the calls that stand in a quotation as quoted. Those of the examples have negative numbers. */
  #quote(opening: number): void {
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

  /** Drops all places: they are settled. */
  forget(): void {
    this.#last = undefined;
    this.#places = [];
    this.#onLine = [];
  }
}

/** Whether a character changes the state of the scan in the middle of a line: a line break, and any of "'<>`. */
function acts(code: number): boolean {
  return code === 0x0a || code === 0x22 || code === 0x27 || code === 0x3c || code === 0x3e || code === 0x60;
}
