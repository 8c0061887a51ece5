// Turns a JSON document into lines, one row each, without holding it in memory: a list gives its elements, and
// concatenated documents give one row each. Nothing is validated here; invalid JSON becomes an invalid line.

/** How many bytes are read to tell a document from lines. */
export const HEAD_SIZE = 64 * 1024;

/**
 * Whether the file is a document. No row of JSON lines begins with a bracket, so a file that does is a list, unless its
 * first line is complete and others follow. A brace begins a document only in a .json file whose first line is
 * incomplete.
 */
export function isDocument(head: Uint8Array, name: string): boolean {
  const text = Buffer.from(head)
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  const lineBreak = text.indexOf('\n');
  const firstLine = lineBreak < 0 ? undefined : text.slice(0, lineBreak);
  const whole = firstLine !== undefined && isJson(firstLine);
  if (text.startsWith('[')) {
    const follows = text.slice(1).trimStart()[0];
    const isList = follows === '{' || follows === ']';
    return isList && !(whole && text.slice(lineBreak).trim() !== '');
  }
  return text.startsWith('{') && firstLine !== undefined && !whole && /\.json(?:\.[a-z]+)?$/i.test(name);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const BREAK = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Gives at most as many bytes as it got, each row ended by its only line break. A line break in a string is invalid
 * JSON and stays invalid: it becomes a carriage return. A list that is never closed leaves its bracket as a bad row.
 */
export async function* documentLines(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const scanner = new Scanner();
  for await (const piece of pieces) {
    const lines = scanner.scan(piece);
    if (lines.length > 0) yield lines;
  }
  yield scanner.end();
}

class Scanner {
  /** How many brackets and braces are open in the row; 0 between rows and in a bare word. */
  #depth = 0;
  #inRow = false;
  #inString = false;
  #escaped = false;
  #list: 'before' | 'inside' | 'closed' = 'before';
  #first = true;

  scan(piece: Buffer): Buffer {
    // Each byte gives itself, and perhaps a line break before or after it.
    const out = Buffer.allocUnsafe(piece.length * 2 + 1);
    let at = 0;
    const start = this.#first && piece[0] === 0xef ? 3 : 0;
    this.#first = false;
    for (let i = start; i < piece.length; i++) {
      const byte = piece[i] as number;
      if (this.#inString) {
        out[at++] = byte === BREAK ? RETURN : byte;
        this.#stepInString(byte);
      } else if (this.#inRow) at = this.#stepInRow(byte, out, at);
      else at = this.#stepBetween(byte, out, at);
    }
    return out.subarray(0, at);
  }

  end(): Buffer {
    const left = this.#inRow ? '\n' : '';
    return Buffer.from(this.#list === 'inside' ? `${left}[\n` : left);
  }

  #stepInString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }

  #stepInRow(byte: number, out: Buffer, at: number): number {
    // A bare word ends where a row would: it is no row, but the next one may be.
    if (
      this.#depth === 0 &&
      (byte === COMMA || byte === CLOSE_LIST || byte === BREAK || byte === OPEN_OBJECT)
    ) {
      this.#inRow = false;
      out[at] = BREAK;
      return this.#stepBetween(byte, out, at + 1);
    }
    out[at++] = byte === BREAK ? SPACE : byte;
    if (byte === QUOTE) this.#inString = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      this.#depth = Math.max(this.#depth - 1, 0);
      if (this.#depth === 0) return this.#endRow(out, at);
    }
    return at;
  }

  #stepBetween(byte: number, out: Buffer, at: number): number {
    if (byte <= SPACE) return at;
    if (byte === COMMA && this.#list === 'inside') return at;
    if (byte === OPEN_LIST && this.#list === 'before') this.#list = 'inside';
    else if (byte === CLOSE_LIST && this.#list === 'inside') this.#list = 'closed';
    else return this.#beginRow(byte, out, at);
    return at;
  }

  #beginRow(byte: number, out: Buffer, at: number): number {
    this.#inRow = true;
    this.#inString = byte === QUOTE;
    this.#depth = byte === OPEN_OBJECT || byte === OPEN_LIST ? 1 : 0;
    out[at++] = byte;
    return byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT ? this.#endRow(out, at) : at;
  }

  #endRow(out: Buffer, at: number): number {
    this.#inRow = false;
    out[at] = BREAK;
    return at + 1;
  }
}
