// Finds where a text shows a call as an example, by its lines. A model's template puts a call at the start of a line (or
// right behind text: `behindText`), and nothing around it.
//
//   1. Write this:            <example>            cat <<'EOF' > call.txt        prompt: |        For example:
//      <tool_call>…           <tool_call>…         <tool_call>…                    <tool_call>…   <tool_call>…
//      ^ in a list item       ^ in an element      ^ in a here-document            ^ in a block   ^ announced
//
// Lines are read when they are complete, in pieces of at most LONGEST characters: what is found depends on the text
// alone, not on how it is cut, and the state is bounded.

import { announcesExample, answering, asking, labelsExample, TextBehind } from './example-words.js';

/** How much of a line is kept. */
const LONGEST = 4096;
/** How many elements may be open at once. */
const MOST_OPEN = 64;
const TAB = 4;

/** HTML elements without an end. */
const endless = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** Elements that a model may put around a call that it means: reasoning, and wrappers of calls. */
const around =
  /^(?:think|thinking|thought|thoughts|reasoning|analysis|reflection)$|tool|function|call|invoke|param|arg/;

/** A block that is closed by a line that holds `close`. */
interface ShownBlock {
  close: string;
  why: string;
}

interface BlockKind {
  opens: RegExp;
  /** What closes it; `$1` is the name that opened it. */
  close: string;
  why: string;
}

const HERE = 'a here-document';

const blockKinds: readonly BlockKind[] = [
  { opens: /^\\begin\{([A-Za-z*]+)\}/, close: '\\end{$1}', why: 'a LaTeX environment' },
  { opens: /^#\+begin_([a-z]+)/, close: '#+end_$1', why: 'an Org block' },
  {
    opens: /^@(example|smallexample|verbatim|lisp|display|quotation)$/,
    close: '@end $1',
    why: 'a Texinfo block',
  },
  { opens: /^\[(code|quote|spoiler|pre)[\]=]/, close: '[/$1]', why: 'a BBCode element' },
  { opens: /^\{(code|noformat|quote)[:}]/, close: '{$1}', why: 'a wiki block' },
  { opens: /^\{\{\{/, close: '}}}', why: 'a wiki block' },
  { opens: /^\{%-? {0,4}(raw|highlight|verbatim|comment)(?![a-z])/, close: 'end$1', why: 'a template block' },
  { opens: /^::: ?[a-z{]/, close: ':::', why: 'a container' },
  { opens: /^\/\*/, close: '*/', why: 'a comment' },
  { opens: /^\.nf$/, close: '.fi', why: 'a roff block' },
];

/** What a line that opens one of these begins with: most lines do not. */
const OPENING = '\\#@[{:/.';

/** `cat <<EOF`, `<<-'END'`: an unquoted word is in capitals, so that a shift is none. */
const hereDocument = /(?:^|[\s;|&(])<<[-~]?(['"]?)([A-Za-z_]\w*)/;
/** `- x`, `* x`, `1. x`, `(2) x`, `a) x`, `一、x`. */
const listMark =
  /^(?:[-*+•]|\(?[0-9]{1,9}[.)]|[a-z][.)]|[0-9一二三四五六七八九十]{1,3}、)(?:\s|$)|^[0-9一二三四五六七八九十]{1,3}、/;
/** `prompt: |`, `- content: >-`, `messages:`. */
const blockKey = /^(?:- )?["']?(?:[A-Za-z_][\w.-]*["']?: ?[|>][-+0-9]{0,2}|[a-z_][\w.-]*["']?:)$/;
/** `.. code-block:: xml`, `!!! example`: what is indented behind it is its content, as behind a line that ends in `::`. */
const literal = /^\.\. [a-z-]+::|^(?:!!!|\?\?\?\+?) [a-z]/;
const originalMail =
  /^-{3,12} ?(?:original message|forwarded message|原始邮件|转发邮件|转发的邮件) ?-{3,12}$/;
const delimiter = /^(?:-{4,}|\.{4,})$/;
/** Text right before a call that is marks alone: of a list, a table, a quote, a comment, a prompt. */
const marksAlone = /^[\s>|#*+$%/;:"'`([{<-]*$/;

export class ExampleScan {
  /** The line so far, without its calls, and what of it follows the last of them. */
  #line = '';
  #rest = '';
  #called = false;
  #isFirstPiece = true;
  readonly #elements = new Set<string>();
  #block: ShownBlock | undefined;
  #delimited: string | undefined;
  /** How far the line with the list mark or the block key is indented. */
  #owner: number | undefined;
  #inDiff = false;
  #inMail = false;
  #announced = false;
  /** The paragraph, or the section, begins with the label of an example. */
  #inExample = false;
  #inExamples = false;
  /** A line of a person came, and then one of a model. */
  #transcript: 'none' | 'asked' | 'shown' = 'none';
  /** The line above is in brackets, as the title of a block is: `[source,xml]`. */
  #mayDelimit = false;
  #behind: TextBehind | undefined;

  /** `behindText`: the template of the dialect puts calls right behind text, on the same line. */
  constructor(readonly behindText: boolean) {}

  /** Reads plain text. `silent`: leftover markup, of which only line breaks count. */
  read(text: string, silent: boolean): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#add(text.slice(from, end), silent);
      this.#endLine();
      from = end + 1;
    }
    this.#add(text.slice(from), silent);
  }

  #add(text: string, silent: boolean): void {
    if (silent) return;
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
    if (this.#block) return `it stands in ${this.#block.why}`;
    if (this.#delimited) return 'it stands in a delimited block';
    const [element] = this.#elements;
    if (element !== undefined) return `it stands in <${element}>, which is not closed before it`;
    if (this.#inMail) return 'it stands in a forwarded message';
    if (this.#transcript === 'shown') return 'it stands in a transcript';
    const { text, indent } = measured(this.#line);
    if (text !== '' || !this.#isFirstPiece) return this.#whyBehind(text);
    if (this.#inDiff && indent > 0 && !this.#called) return 'it stands in a patch';
    if (this.#owner !== undefined && indent > this.#owner)
      return 'it is indented behind a list mark or a block key';
    if (this.#announced) return 'the line above announces an example';
    return this.#inExample || this.#inExamples ? 'it stands below the label of an example' : undefined;
  }

  #whyBehind(text: string): string | undefined {
    if (!this.behindText || marksAlone.test(text) || listMark.test(text)) return 'it does not begin its line';
    return announcesExample(text) ? 'the words before it announce an example' : undefined;
  }

  leave(): void {
    this.#called = true;
    this.#rest = '';
    this.#behind = new TextBehind();
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

  /** Drops the line so far: the rest of it is in a fence. */
  skipLine(): void {
    this.#line = '';
    this.#rest = '';
    this.#called = false;
    this.#isFirstPiece = true;
  }

  /** Reads a piece of a long line: of its elements only. */
  #endPiece(): void {
    this.#endBehind();
    this.#readElements(this.#line);
    this.skipLine();
    this.#isFirstPiece = false;
  }

  #readLine(text: string, indent: number): void {
    if (this.#block) this.#closeBlock(text);
    else if (delimiter.test(text)) this.#delimit(text);
    else this.#openBlock(text);
    this.#readElements(text);
    if (!this.#isFirstPiece) return;
    if (this.#owner !== undefined && indent <= this.#owner) this.#owner = undefined;
    if (listMark.test(text) || blockKey.test(text) || literal.test(text) || text.endsWith('::'))
      this.#owner ??= indent;
    if (/^(?:@@ |diff --git )/.test(text)) this.#inDiff = true;
    else if (indent === 0 && !/^[-+\\@]/.test(text)) this.#inDiff = false;
    if (originalMail.test(text.toLowerCase())) this.#inMail = true;
    this.#readWords(text);
  }

  #readWords(text: string): void {
    this.#announced = announcesExample(text);
    const isLabel = this.#announced && labelsExample(text);
    if (/^#{1,6} /.test(text)) this.#inExamples = isLabel;
    if (isLabel) this.#inExample = true;
    if (asking.test(text)) this.#transcript = this.#transcript === 'shown' ? 'shown' : 'asked';
    else if (this.#transcript === 'asked' && answering.test(text)) this.#transcript = 'shown';
  }

  #openBlock(text: string): void {
    const here = text.includes('<<') ? hereDocument.exec(text) : undefined;
    const [, quote = '', word = ''] = here ?? [];
    if (quote !== '' || (word !== '' && word === word.toUpperCase()))
      this.#block = { close: word, why: HERE };
    if (!OPENING.includes(text.charAt(0))) return;
    const line = text.startsWith('\\') ? text : text.toLowerCase();
    for (const { opens, close, why } of blockKinds) {
      const found = opens.exec(line);
      if (!found) continue;
      const closing = close.replace('$1', () => found[1] ?? '');
      if (line.indexOf(closing, found[0].length) < 0) this.#block = { close: closing, why };
      return;
    }
  }

  #closeBlock(text: string): void {
    const { close, why } = this.#block as ShownBlock;
    const closes = why === HERE ? text === close : text.includes(close) || text.toLowerCase().includes(close);
    if (closes) this.#block = undefined;
  }

  /** A line of dashes behind a title in brackets, or of dots, opens a block, and the same line closes it. */
  #delimit(text: string): void {
    if (this.#delimited === text) this.#delimited = undefined;
    else if (this.#delimited === undefined && (this.#mayDelimit || text.startsWith('.')))
      this.#delimited = text;
  }

  // --- elements --------------------------------------------------------------------------------------------

  /** Reads the tags of a line. Only one that begins the line opens an element: in a sentence it is a mention. */
  #readElements(text: string): void {
    for (const { 0: tag, 1: slash, 2: written = '', index } of text.matchAll(
      /<(\/?)([A-Za-z][A-Za-z0-9_-]*)(?:[\s>/]|$)/g,
    )) {
      const name = written.toLowerCase();
      if (slash === '/') this.#elements.delete(name);
      else if (index === 0 && this.#isFirstPiece && this.#opens(name, text, tag.length - 1))
        this.#elements.add(name);
    }
  }

  #opens(name: string, text: string, from: number): boolean {
    if (endless.has(name) || around.test(name) || this.#elements.size >= MOST_OPEN) return false;
    const end = text.indexOf('>', from);
    return end < 0 || text.charAt(end - 1) !== '/';
  }
}

/** Gives the text of a line without the white space around it, and how far it is indented. */
function measured(line: string): { text: string; indent: number } {
  const text = line.trim();
  const end = text === '' ? line.length : line.indexOf(text);
  let indent = 0;
  for (let at = 0; at < end; at++) indent += line.charAt(at) === '\t' ? TAB : 1;
  return { text, indent };
}
