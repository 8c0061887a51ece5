// Blocks whose content a text shows: each is opened by a line, and closed by one that holds its closing mark.

/** A block that is open. */
export interface ShownBlock {
  close: string;
  /** A line must be nothing but the closing mark. */
  isLine?: boolean;
  why: string;
}

interface BlockKind {
  opens: RegExp;
  /** What closes it; `$1` is the name that opened it. */
  close: string;
  why: string;
  /** The mark may be a word of a sentence: `{code} blocks are closed.` */
  inWords?: true;
}

const HERE = 'a here-document';
const COMMENT = 'a comment';
const WIKI = 'a wiki block';

const blockKinds: readonly BlockKind[] = [
  { opens: /^#\+begin_([a-z]+)/, close: '#+end_$1', why: 'an Org block' },
  {
    opens: /^@(example|smallexample|verbatim|lisp|display|quotation)$/,
    close: '@end $1',
    why: 'a Texinfo block',
  },
  {
    opens: /^\[(code|quote|spoiler|pre|example)[\]=]/,
    close: '[/$1]',
    why: 'a BBCode element',
    inWords: true,
  },
  { opens: /^\{(code|noformat|quote)[:}]/, close: '{$1}', why: WIKI, inWords: true },
  { opens: /^\{\{\{/, close: '}}}', why: WIKI },
  { opens: /^\{%-? {0,4}(raw|highlight|verbatim|comment)(?![a-z])/, close: 'end$1', why: 'a template block' },
  { opens: /^::: ?[a-z{]/, close: ':::', why: 'a container' },
  { opens: /^\/\*/, close: '*/', why: COMMENT },
  { opens: /^\(\*$/, close: '*)', why: COMMENT },
  { opens: /^\{-$/, close: '-}', why: COMMENT },
  { opens: /^--\[\[$/, close: ']]', why: COMMENT },
  { opens: /^<#$/, close: '#>', why: COMMENT },
  { opens: /^=begin(?![a-z])/, close: '=end', why: COMMENT },
  { opens: /^%\{$/, close: '%}', why: COMMENT },
  { opens: /^\[\/\/\]: # \($/, close: ')', why: COMMENT },
  { opens: /^\.nf$/, close: '.fi', why: 'a roff block' },
  { opens: /^\\start([a-z]+)/, close: '\\stop$1', why: 'a ConTeXt block' },
];

/** What a line that opens one of these begins with: most lines do not. */
const OPENING = '\\#@[{:/.(-<=%';

/** Marks that open a block wherever they are in a line. */
const anywhere: readonly (BlockKind & { mark: string })[] = [
  {
    mark: '\\begin',
    opens: /^\\begin ?\{([A-Za-z*]+)\}/,
    close: '\\end{$1}',
    why: 'a LaTeX environment',
    inWords: true,
  },
  { mark: '<![CDATA[', opens: /^<!\[CDATA\[/, close: ']]>', why: 'a CDATA section' },
];

/** `cat <<EOF`, `<<-'END OF'`, `<< \EOF`, and of PHP `<<<EOT`. */
const hereDocument =
  /(?:^|[^<])(<<<?)[-~]? {0,4}(?:'([^'\n]{1,64})'|"([^"\n]{1,64})"|(\\?)([A-Za-z_][A-Za-z0-9_]{0,63}))/;

/** A here-document that a line opens. `perhaps`: it may be a shift, or be written to a stream. */
export interface HereDocument extends ShownBlock {
  perhaps: boolean;
}

export function hereDocumentOf(line: string): HereDocument | undefined {
  const found = line.includes('<<') ? hereDocument.exec(line) : undefined;
  if (!found) return undefined;
  const [all, arrows, single, double, escaped, word = ''] = found;
  const front = line.slice(0, found.index + all.indexOf('<')).trimEnd();
  const behind = line.slice(found.index + all.length).trimStart();
  // A command goes on with a redirection or the next command, a sentence with words.
  if (behind !== '' && !/^(?:[>|&);]|[0-9]>)/.test(behind)) return undefined;
  const isQuoted = single !== undefined || double !== undefined || escaped === '\\';
  const name = single ?? double ?? word;
  const isString = arrows === '<<<' && !/(?:^|[=(,]|return)$/.test(front);
  const isName = isQuoted || /^(?:[A-Z_][A-Z0-9_]+|eof|end|eot)$/.test(name);
  // `value << SHIFT` is none, `cat << EOF` is one.
  const isShift = !isQuoted && /<< /.test(all) && (behind.startsWith(';') || !/^[E_]/i.test(name));
  const perhaps =
    isString || !isName || isShift || /(?:^|[\s(])(?:\w|[0-9]+|(?:std::)?c(?:out|err|log))$/.test(front);
  return { close: name, isLine: true, why: HERE, perhaps };
}

/** The block that a line opens. */
export function blockOf(line: string): ShownBlock | undefined {
  if (/@['"]$/.test(line)) return { close: `${line.slice(-1)}@`, why: HERE };
  const within = openedWithin(line);
  if (within) return within;
  if (!OPENING.includes(line.charAt(0))) return undefined;
  const text = line.toLowerCase();
  for (const kind of blockKinds) if (kind.opens.test(text)) return opened(kind, text);
  return undefined;
}

function openedWithin(line: string): ShownBlock | undefined {
  for (const kind of anywhere) {
    const at = line.lastIndexOf(kind.mark);
    const block = at >= 0 ? opened(kind, line.slice(at)) : undefined;
    if (block) return block;
  }
  return undefined;
}

function opened({ opens, close, why, inWords }: BlockKind, line: string): ShownBlock | undefined {
  const found = opens.exec(line);
  if (!found) return undefined;
  const behind = line.slice(found[0].length);
  if (inWords && /^ [a-z]/.test(behind)) return undefined;
  const closing = close.replace('$1', () => found[1] ?? '');
  return behind.includes(closing) ? undefined : { close: closing, why };
}

/** The block that is open behind a line: the same, none, or one that the line opens behind the end of the other. */
export function blockBehind(block: ShownBlock, line: string): ShownBlock | undefined {
  const { close, isLine } = block;
  if (isLine) return withoutEnd(line) === close ? undefined : block;
  const at = Math.max(line.lastIndexOf(close), line.toLowerCase().lastIndexOf(close));
  return at < 0 ? block : openedWithin(line.slice(at + close.length));
}

/** A line without the marks that a language puts behind the end of a here-document. */
export function withoutEnd(line: string): string {
  return line.slice(0, 80).replace(/[;,)]{1,4}$/, '');
}

/** A line of a template, such as a prompt has: `{%- endif %}`, `{{- end }}`. */
export function isTemplateLine(line: string): boolean {
  return /^\{[{%#][^{}]*[}%#]\}$/.test(line);
}
