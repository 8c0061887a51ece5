// Finds where a text shows a call as an example, by its lines. A model's template puts a call at the start of a line (or
// right behind text: `behindText`), and nothing around it.
//
//   1. Write this:            <example>            cat <<'EOF' > call.txt        prompt: |        For example:
//      <tool_call>…           <tool_call>…         <tool_call>…                    <tool_call>…   <tool_call>…
//      ^ in a list item       ^ in an element      ^ in a here-document            ^ in a block   ^ announced
//
// Lines are read when they are complete, in pieces of at most LONGEST characters: what is found depends on the text
// alone, not on how it is cut, and the state is bounded.

import {
  announcesExample,
  answersByName,
  answersByToken,
  asksByName,
  asksByToken,
  labelsExample,
  ruledLine,
} from './example-words.js';
import { OpenElements } from './open-elements.js';
import {
  blockBehind,
  blockOf,
  hereDocumentOf,
  isTemplateLine,
  type ShownBlock,
  withoutEnd,
} from './shown-blocks.js';
import { TextBehind } from './text-behind.js';

/** How much of a line is kept. */
const LONGEST = 4096;
const TAB = 4;

/** `- x`, `1. x`, `(2) x`, `一、x`: text right before a call is one. */
const itemMark =
  /^(?:[-*+•]|\(?[0-9]{1,9}[.)]|[a-z][.)]|[0-9一二三四五六七八九十]{1,3}、)(?:\s|$)|^[0-9一二三四五六七八九十]{1,3}、/;
/** The start of an item below which a call may be indented: these, and `A.`, `ii)`, `①`, `（1）`, `第一步`, `Step 1`, `–`. */
const listMark =
  /^(?:[-*+•◦·‣▪–—:]|\(?(?:[0-9]{1,9}|[a-z]|[ivx]{1,6})[.)])(?:\s|$)|^[0-9]{1,3}[.)](?![0-9])|^[0-9一二三四五六七八九十]{1,3}、|^[（(][0-9一二三四五六七八九十]{1,3}[)）]|^[①-⑳]|^第[0-9一二三四五六七八九十]{1,3}步|^(?:步骤|step) ?[0-9一二三四五六七八九十]{1,3}/i;
/** The mark of a block of text in YAML, as the last word of a line. */
const scalarMark = /^[|>][-+0-9]{0,2}$/;
/** `messages:`. */
const blockKey = /^(?:- )?["']?[a-z_][\w.-]*["']?:$/;
/** `.. code-block:: xml`, `!!! example`: what is indented behind it is its content, as behind a line that ends in `::`. */
const literal = /^\.\. [a-z-]+::|^(?:!!!|\?\?\?\+?) [a-z]/;
const originalMail =
  /^-{3,12} ?[^-]{0,40}(?:message|nachricht|mensaje|messaggio|邮件|郵件)[^-]{0,20}-{3,12}$/;
const mailFrom = /^(?:from|发件人|寄件者)[:：]/i;
const mailSubject = /^(?:subject|主题|主旨)[:：]/i;
const inPatch = /^(?:@@|diff --git |\+\+\+ |\*{3} [0-9])/;
const delimiter = /^(?:-{4,}|\.{4,})$/;
/** A line that ends where a string or a quotation begins. */
const opensQuotation = /(?:^|[\s:=(,])["'“「『]$/;
/** Text right before a call that is marks alone: of a list, a table, a quote, a comment, a prompt. */
const marksAlone = /^[\s>|#*+$%/;:"'`([{<-]*$/;
/** A token that begins a turn of somebody: the template of the dialect may have it, or the text shows a prompt. */
const turnToken = /<\|(?:im_start|start_header_id|start|user|human|assistant)\|>/;
/** The end of reasoning right before a call. */
const endOfThought = /^<\/(?:think|thinking|thought|thoughts|reasoning|analysis|reflection|scratchpad)>$/i;

export class ExampleScan {
  /** The line so far, without its calls, and what of it follows the last of them. */
  #line = '';
  #rest = '';
  #called = false;
  #isFirstPiece = true;
  readonly #elements: OpenElements;
  /** How much of the line was read for tags. */
  #tagsRead = 0;
  #block: ShownBlock | undefined;
  #delimited: string | undefined;
  /** How far the line with the list mark or the block key is indented. */
  #owner: number | undefined;
  #inDiff = false;
  #inMail = false;
  #hasSender = false;
  #announced: string | undefined;
  /** The paragraph, or the section, begins with the label of an example. */
  #inExample = false;
  #inExamples = false;
  /** A line of a person came, and then one of a model. */
  #transcript: 'none' | 'asked' | 'shown' = 'none';
  /** A line has the name of the model before it: `Assistant: …`. */
  #isAnswering = false;
  /** The line above is in brackets, as the title of a block is: `[source,xml]`. */
  #mayDelimit = false;
  #behind: TextBehind | undefined;

  /** Is told the number of an opening of `openings` when what it opened is closed. */
  onClose: (opening: number) => void = () => {};

  /** `behindText`: the template of the dialect puts calls right behind text. `markers`: names of its own elements. */
  constructor(
    readonly behindText: boolean,
    markers: ReadonlySet<string> = new Set(),
  ) {
    this.#elements = new OpenElements(markers, (opening) => this.onClose(opening));
  }

  /** What is perhaps open: a call is shown if one of them is closed behind it. Each has a number of its own. */
  get openings(): number[] {
    return this.#elements.openings;
  }

  /** Reads plain text. `silent`: leftover markup, of which only line breaks and tokens of turns count. */
  read(text: string, silent: boolean): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#add(text.slice(from, end), silent);
      this.#endLine();
      from = end + 1;
    }
    this.#add(text.slice(from), silent);
  }

  #add(written: string, silent: boolean): void {
    const text = silent ? (turnToken.exec(written)?.[0] ?? '') : written;
    for (let from = 0; from < text.length; ) {
      const room = LONGEST - this.#line.length;
      const piece = text.slice(from, from + room);
      this.#line += piece;
      if (this.#called) this.#rest += piece;
      from += piece.length;
      if (this.#line.length === LONGEST) this.#endPiece();
    }
  }

  /** Gives why a call that begins here is only shown; undefined if it is where a template puts one. */
  enter(): string | undefined {
    this.#endBehind();
    this.#readTags();
    if (this.#block) return `it stands in ${this.#block.why}`;
    if (this.#delimited) return 'it stands in a delimited block';
    const element = this.#elements.innermost;
    if (element !== undefined) return `it stands in <${element}>, which is not closed before it`;
    if (this.#inMail) return 'it stands in a forwarded message';
    if (this.#transcript === 'shown') return 'it stands in a transcript';
    const { text, indent } = measured(this.#line);
    if (text !== '' || !this.#isFirstPiece) return this.#whyBehind(text);
    if (this.#inDiff && indent > 0 && !this.#called) return 'it stands in a patch';
    if (this.#owner !== undefined && indent > this.#owner)
      return 'it is indented behind a list mark or a block key';
    if (this.#announced) return this.#announced;
    return this.#inExample || this.#inExamples ? 'it stands below the label of an example' : undefined;
  }

  #whyBehind(text: string): string | undefined {
    if (!this.behindText || marksAlone.test(text) || itemMark.test(text))
      return endOfThought.test(text) ? undefined : 'it does not begin its line';
    return announcesExample(text) ? 'the words before it announce an example' : undefined;
  }

  leave(): void {
    this.#called = true;
    this.#rest = '';
    this.#behind = new TextBehind(this.#isAnswering);
  }

  get hasTextBehind(): boolean {
    return this.#behind?.isEmpty === false;
  }

  /** Whether text goes on behind the last call as if nothing was called. */
  get goesOn(): boolean {
    return this.#behind?.goesOn ?? false;
  }

  finish(): void {
    this.#endBehind();
    this.#readTags();
    this.#elements.closePerhaps(lineKey(measured(this.#line).text));
  }

  /** Adds the line that ends here to the text behind the last call. */
  #endBehind(): void {
    if (this.#called) this.#behind?.add(this.#rest, true);
    else if (this.#isFirstPiece) this.#behind?.add(this.#line, false);
  }

  // --- lines -----------------------------------------------------------------------------------------------

  #endLine(): void {
    this.#endBehind();
    const { text, indent } = measured(this.#line);
    const isTitle = text.startsWith('[') && text.endsWith(']');
    if (text !== '') this.#readLine(text, indent);
    else if (!this.#called) this.#inExample = false;
    if (!this.#called) this.#mayDelimit = isTitle;
    this.skipLine();
  }

  /** Passes a fence: it is what the line above announced. */
  passFence(): void {
    this.skipLine();
    this.#announced = undefined;
  }

  /** Drops the line so far. */
  skipLine(): void {
    this.#line = '';
    this.#tagsRead = 0;
    this.#rest = '';
    this.#called = false;
    this.#isFirstPiece = true;
  }

  /** Reads a piece of a long line: of its elements only. */
  #endPiece(): void {
    this.#endBehind();
    this.#readTags();
    this.skipLine();
    this.#isFirstPiece = false;
  }

  #readTags(): void {
    this.#elements.read(this.#line, this.#tagsRead, this.#isFirstPiece);
    this.#tagsRead = this.#line.length;
  }

  #readLine(text: string, indent: number): void {
    if (this.#block) this.#block = blockBehind(this.#block, text);
    else if (delimiter.test(text)) this.#delimit(text);
    else this.#openBlock(text);
    this.#readTags();
    if (!this.#isFirstPiece) return;
    this.#readOwner(text, indent);
    if (inPatch.test(text)) this.#inDiff = true;
    else if (indent === 0 && !/^[-+\\@]/.test(text)) this.#inDiff = false;
    this.#readMail(text);
    // A quotation goes on with what its first line said, and so does an underlined title.
    if (!text.startsWith('>') && !/^[=~*_-]{3,}$/.test(text)) this.#readWords(text);
  }

  /** A line whose content is indented below it: a list item, or a key. A call belongs to an item from two columns on. */
  #readOwner(text: string, indent: number): void {
    if (this.#owner !== undefined && indent <= this.#owner) this.#owner = undefined;
    if (isKey(text) || literal.test(text) || text.endsWith('::')) this.#owner ??= indent;
    else if (listMark.test(text)) this.#owner ??= indent + 1;
  }

  #readMail(text: string): void {
    if (originalMail.test(text.toLowerCase()) || (this.#hasSender && mailSubject.test(text)))
      this.#inMail = true;
    if (mailFrom.test(text)) this.#hasSender = true;
  }

  #readWords(text: string): void {
    const isAnnounced = announcesExample(text);
    const isLabel = isAnnounced && labelsExample(text);
    this.#announced = isAnnounced ? 'the line above announces an example' : whyAnnounced(text);
    const ruled = ruledLine(text);
    if (ruled) this.#inExamples = ruled === 'opens';
    else if (/^#{1,6} /.test(text)) this.#inExamples = isLabel;
    if (isLabel) this.#inExample = true;
    this.#readSpeaker(text);
  }

  #readSpeaker(text: string): void {
    if (asksByName.test(text) || asksByToken.test(text))
      this.#transcript = this.#transcript === 'shown' ? 'shown' : 'asked';
    else if (answersByName.test(text) || answersByToken.test(text)) {
      if (this.#transcript === 'asked') this.#transcript = 'shown';
      if (answersByName.test(text)) this.#isAnswering = true;
    }
  }

  #openBlock(text: string): void {
    if (this.#elements.closePerhaps(lineKey(text))) return;
    const here = hereDocumentOf(text);
    if (here?.perhaps) this.#elements.openPerhaps(lineKey(here.close));
    else this.#block = here ?? blockOf(text);
  }

  /** A line of dashes behind a title in brackets opens a block, one of dots perhaps; the same line closes it. */
  #delimit(text: string): void {
    if (this.#delimited === text) this.#delimited = undefined;
    else if (this.#delimited === undefined && this.#mayDelimit) this.#delimited = text;
    else if (text.startsWith('.') && !this.#elements.closePerhaps(lineKey(text)))
      this.#elements.openPerhaps(lineKey(text));
  }
}

/** A key of what is closed by a line, which no element has. */
function lineKey(line: string): string {
  return `\n${withoutEnd(line)}`;
}

function isKey(line: string): boolean {
  return blockKey.test(line) || isBlockScalar(line);
}

/** `prompt: |`, `- content: >-`, `prompt: !!str |`, `- |`, each also before a comment. */
function isBlockScalar(line: string): boolean {
  if (!line.includes('|') && !line.includes('>')) return false;
  const comment = line.indexOf(' #');
  const words = line.slice(0, comment < 0 ? line.length : comment).split(' ');
  let mark = '';
  for (const word of words.reverse()) {
    if (mark === '') {
      const glued = /[:：]([|>].{0,3})$/.exec(word);
      if (glued) return scalarMark.test(glued[1] ?? '');
      if (word !== '' && !scalarMark.test(word)) return false;
      mark = word;
    } else if (word !== '' && !/^[!&]/.test(word)) return /[:：]$|^[-?]$/.test(word);
  }
  return false;
}

function whyAnnounced(line: string): string | undefined {
  if (line.startsWith('@@')) return 'it stands in a patch';
  if (isTemplateLine(line)) return 'the line above belongs to a template';
  if (opensQuotation.test(line) || isBlockScalar(line)) return 'the line above opens a text';
  return undefined;
}

/** Gives the text of a line without the white space around it, and how far it is indented. */
function measured(line: string): { text: string; indent: number } {
  const text = line.replace(/[\u200b\u2060]/g, '').trim();
  const end = text === '' ? line.length : Math.max(0, line.search(/[^\s\u200b\u2060]/));
  let indent = 0;
  for (let at = 0; at < end; at++) indent += line.charAt(at) === '\t' ? TAB : 1;
  return { text, indent };
}
