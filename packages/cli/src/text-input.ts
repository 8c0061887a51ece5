// Bytes into text. The input is UTF-8; UTF-16, which PowerShell writes with `>`, is recognised. Bytes that are neither
// become U+FFFD, as a reader would see them, and a note names the first.

import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** How much of the input decides. */
const LOOK = 1024;

/** UTF-16 by its byte order mark, or because every other byte of a text in Latin letters is 0. */
function encodingOf(bytes: Buffer): Encoding {
  const mark = bytes.subarray(0, 2).toString('hex');
  if (mark === 'fffe') return 'utf-16le';
  if (mark === 'feff') return 'utf-16be';
  const zeros = [0, 0];
  const start = bytes.subarray(0, LOOK);
  for (const [at, byte] of start.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const most = start.length / 4;
  if (odd > most && even === 0) return 'utf-16le';
  return even > most && odd === 0 ? 'utf-16be' : 'utf-8';
}

/** Decodes pieces. The mark of UTF-16 is left out; that of UTF-8 is part of the text. */
export class TextInput {
  #encoding: Encoding | undefined;
  #wide: TextDecoder | undefined;
  /** The start of a character of UTF-8 whose end is in the next piece. */
  #rest: Buffer = Buffer.alloc(0);
  #warned = false;

  /** `tell` gets a sentence where the input is not plain UTF-8. */
  constructor(private readonly tell: (text: string) => void) {}

  push(bytes: Buffer): string {
    this.#encoding ??= this.#begin(bytes);
    if (this.#wide) return this.#wide.decode(bytes, { stream: true });
    const all = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    const end = all.length - incomplete(all);
    this.#rest = all.subarray(end);
    const whole = all.subarray(0, end);
    if (!this.#warned && !isUtf8(whole)) this.#warn('has bytes that are no UTF-8, which are');
    return whole.toString('utf8');
  }

  end(): string {
    const text = this.#wide ? this.#wide.decode() : this.#rest.toString('utf8');
    if (text !== '') this.#warn('ends inside a character, which is');
    return text;
  }

  #begin(bytes: Buffer): Encoding {
    const encoding = encodingOf(bytes);
    if (encoding === 'utf-8') return encoding;
    this.#wide = new TextDecoder(encoding);
    this.tell(`The input is ${encoding.toUpperCase()}; it is read as that.`);
    return encoding;
  }

  #warn(what: string): void {
    if (!this.#warned) this.tell(`The input ${what} read as \ufffd. Is it in another encoding?`);
    this.#warned = true;
  }
}

/** The number of bytes at the end that begin a character of UTF-8 and do not end it. */
function incomplete(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}
