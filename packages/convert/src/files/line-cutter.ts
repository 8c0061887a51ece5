// Cuts a stream into blocks of whole lines, at the same places as a file of the same bytes: a block holds the lines
// that begin in it. So a pipe, a compressed file and a plain one give the same output, also if the output is compressed
// block by block.

import type { LinesBlock } from './block.js';
import { keptOfLongLine, LINE_BREAK } from './each-line.js';

export class LineCutter {
  #pieces: Buffer[] = [];
  #length = 0;
  /** How many bytes of the stream come before the pieces. */
  #begin = 0;
  /** How many bytes of a line that is too long were skipped. */
  #dropped = 0;
  #lastLine: number | undefined;

  constructor(
    readonly blockSize: number,
    readonly lineLimit: number,
  ) {}

  /** Adds a piece, and gives the blocks that end in it. */
  *push(piece: Buffer): Generator<LinesBlock> {
    let rest = piece;
    while (rest.length > 0) {
      // The first line break from here on ends the block: the line after it begins after the block's end.
      const earliest = Math.max(this.#blockEnd() - 1 - this.#position(), 0);
      const at = earliest < rest.length ? rest.indexOf(LINE_BREAK, earliest) : -1;
      this.#keep(at < 0 ? rest : rest.subarray(0, at + 1));
      if (at < 0) return;
      yield this.#take();
      rest = rest.subarray(at + 1);
    }
  }

  /**
   * Gives the whole lines that have arrived, though the block is not full. Called after each piece by callers that must
   * not wait.
   */
  *flush(): Generator<LinesBlock> {
    const last = this.#pieces.at(-1);
    const end = last && this.#dropped === 0 ? last.lastIndexOf(LINE_BREAK) + 1 : 0;
    if (!last || end === 0) return;
    this.#pieces[this.#pieces.length - 1] = last.subarray(0, end);
    this.#length -= last.length - end;
    yield this.#take();
    if (end < last.length) this.#keep(last.subarray(end));
  }

  /** Gives the rest; the last line may lack its line break. */
  *end(): Generator<LinesBlock> {
    if (this.#length > 0) yield this.#take();
  }

  #position(): number {
    return this.#begin + this.#length + this.#dropped;
  }

  #blockEnd(): number {
    return (Math.floor(this.#begin / this.blockSize) + 1) * this.blockSize;
  }

  #keep(piece: Buffer): void {
    if (this.#dropped > 0) {
      this.#dropped += piece.length;
      return;
    }
    this.#pieces.push(piece);
    this.#length += piece.length;
    // After the block's end there is only the rest of its last line.
    if (this.#length > this.lineLimit && this.#position() > this.#blockEnd()) this.#dropIfTooLong();
  }

  #dropIfTooLong(): void {
    this.#lastLine ??= this.#lastLineStart();
    const broken = this.#pieces.at(-1)?.at(-1) === LINE_BREAK ? 1 : 0;
    if (this.#length - broken - this.#lastLine <= this.lineLimit) return;
    const kept = this.#lastLine + keptOfLongLine(this.lineLimit);
    this.#dropped = this.#length - kept;
    this.#pieces = [Buffer.concat(this.#pieces).subarray(0, kept)];
    this.#length = kept;
  }

  #lastLineStart(): number {
    // The line break that ends the last line itself is not counted.
    return (
      Buffer.concat(this.#pieces)
        .subarray(0, this.#length - 1)
        .lastIndexOf(LINE_BREAK) + 1
    );
  }

  #take(): LinesBlock {
    const cut = this.#dropped > 0;
    const block: LinesBlock = {
      kind: 'lines',
      bytes: ownBytes(this.#pieces, this.#length),
      first: this.#begin === 0,
      cut,
    };
    this.#begin = this.#position();
    this.#pieces = [];
    this.#length = 0;
    this.#dropped = 0;
    this.#lastLine = undefined;
    return block;
  }
}

/** Joins the pieces in memory of their own, which can be transferred to a thread. */
function ownBytes(pieces: readonly Buffer[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
