// Terminal output of chat, with a status line at the end that is erased before the next output.

import { colors } from '../terminal.js';
import { cutTo, visibleLine } from '../visible-text.js';

/** The widest lines of prose that are pleasant to read. */
const WIDEST = 100;
const ERASE = '\r\u001b[K';

export class Screen {
  #status = '';

  constructor(private readonly out: NodeJS.WriteStream = process.stdout) {}

  /** All columns there are. */
  get columns(): number {
    return Math.max(this.out.columns ?? 80, 20);
  }

  /** All rows there are. */
  get rows(): number {
    return Math.max(this.out.rows ?? 24, 5);
  }

  /** The columns that prose fills. */
  get width(): number {
    return Math.min(this.columns, WIDEST);
  }

  write(text: string): void {
    if (text === '') return;
    this.status('');
    this.out.write(text);
  }

  /** Shows the status line. Only where the cursor is at the start of a line. */
  status(words: string): void {
    const text = cutTo(visibleLine(words), this.columns - 1);
    if (text === this.#status) return;
    if (this.#status !== '') this.out.write(ERASE);
    this.#status = text;
    if (text !== '') this.out.write(colors.dim(text));
  }
}
