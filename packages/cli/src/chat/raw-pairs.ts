// Shows the model's raw text beside the parsed answer: in two columns on a wide terminal, else one
// under the other, where they differ.
//
//   <tool_call>get_weather        │ → get_weather
//   <arg_key>city</arg_key>…      │ {"city":"Paris"}

import { colors } from '../terminal.js';
import { cutLines, padTo, visibleText } from '../visible-text.js';
import { plainly } from './plainly.js';
import type { ReadPiece, ReadPieceKind } from './turn-view.js';

/** Columns from which the two texts are shown beside each other. */
const WIDE = 100;

type PairGroup = 'text' | 'aside' | 'reasoning' | 'call';

const groups: Record<ReadPieceKind, PairGroup | undefined> = {
  text: 'text',
  aside: 'aside',
  reasoning: 'reasoning',
  'call-start': 'call',
  'call-delta': 'call',
  'call-end': 'call',
  'call-error': 'call',
  markup: undefined,
};

export class RawPairs {
  #group: PairGroup | undefined;
  #left = '';
  #right = '';
  /** Markup that belongs to what follows, if that is of another kind. */
  #markup = '';
  #started = false;
  #blank = 0;

  constructor(
    private readonly write: (text: string) => void,
    private readonly columns: number,
  ) {}

  read(reading: ReadPiece): void {
    const group = groups[reading.kind];
    if (group === undefined) {
      this.#markup += reading.raw;
      return;
    }
    if (group !== this.#group || reading.kind === 'call-start') this.#flush();
    this.#group = group;
    this.#left += this.#markup + reading.raw;
    this.#markup = '';
    this.#right += wordsOf(reading);
    if (group !== 'call') this.#flushLines();
  }

  end(): void {
    this.#left += this.#markup;
    this.#markup = '';
    this.#flush();
  }

  /** Whole lines of text go out as they come. */
  #flushLines(): void {
    const at = this.#left.lastIndexOf('\n');
    const there = this.#right.lastIndexOf('\n');
    if (at < 0 || there < 0) return;
    const [left, right] = [this.#left.slice(at + 1), this.#right.slice(there + 1)];
    this.#left = this.#left.slice(0, at);
    this.#right = this.#right.slice(0, there);
    this.#rows();
    this.#left = left;
    this.#right = right;
  }

  #flush(): void {
    if (this.#left !== '' || this.#right !== '') this.#rows();
    this.#left = '';
    this.#right = '';
    this.#blank = 0;
  }

  #rows(): void {
    const style = styles[this.#group ?? 'text'];
    if (this.columns < WIDE) this.#stacked(style);
    else this.#beside(style);
  }

  #beside(style: (text: string) => string): void {
    const width = Math.floor((this.columns - 3) / 2);
    if (!this.#started) {
      const head = `${padTo('the model wrote', width)} │ read as`;
      this.write(`${colors.dim(head)}\n${colors.dim(`${'─'.repeat(width + 1)}┼${'─'.repeat(width + 1)}`)}\n`);
    }
    this.#started = true;
    const isCall = this.#group === 'call';
    const left = trimmed(cutLines(shown(this.#left), width), isCall);
    const right = trimmed(cutLines(shown(this.#right), width), isCall);
    for (let row = 0; row < Math.max(left.length, right.length); row++) {
      this.#row(left[row] ?? '', right[row] ?? '', (ours, theirs) => {
        this.write(`${colors.dim(padTo(ours, width))} ${colors.dim('│')} ${style(theirs)}\n`);
      });
    }
  }

  /** Blank rows are written when something of the same kind follows. */
  #row(left: string, right: string, put: (left: string, right: string) => void): void {
    if (left.trim() === '' && right.trim() === '') {
      this.#blank++;
      return;
    }
    for (; this.#blank > 0; this.#blank--) put('', '');
    put(left, right);
  }

  #stacked(style: (text: string) => string): void {
    // Text that was read as it stands is written once.
    const raw = this.#left.trim() === this.#right.trim() ? '' : this.#left;
    for (const line of trimmed(cutLines(shown(raw), this.columns - 2)))
      this.write(`${colors.dim(`┊ ${line}`)}\n`);
    for (const line of trimmed(cutLines(shown(this.#right), this.columns))) this.write(`${style(line)}\n`);
  }
}

const styles: Record<PairGroup, (text: string) => string> = {
  text: (text) => text,
  aside: colors.dim,
  reasoning: colors.dim,
  call: colors.cyan,
};

function wordsOf({ kind, text, issues = [] }: ReadPiece): string {
  if (kind === 'call-start') return `→ ${plainly(text)} `;
  if (kind === 'call-delta') return plainly(text);
  if (kind === 'call-error') return `\nnot delivered: ${issues.map(({ message }) => message).join(' ')}`;
  return text;
}

function shown(text: string): string {
  return visibleText(text.replaceAll('\r\n', '\n').replaceAll('\t', '    '));
}

/** Without the blank lines around: separators are seen by what they separate. */
function trimmed(lines: string[], trims = true): string[] {
  if (!trims) return lines;
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return first < 0 ? [] : lines.slice(first, last + 1);
}
