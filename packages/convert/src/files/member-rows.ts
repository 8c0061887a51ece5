// Takes a list out of a JSON document without holding the document: of `{"version": 2, …, "samples": […]}` it gives
// the bytes of the list. A document that is no object, or lacks the member, is given as it is.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Gives the bytes of the member of the outermost object, brackets included. */
export async function* memberRows(pieces: AsyncIterable<Buffer>, member: string): AsyncGenerator<Buffer> {
  const scanner = new MemberScanner(member);
  for await (const piece of pieces) {
    const taken = scanner.scan(piece);
    if (taken.length > 0) yield taken;
  }
}

/** A log has this member long before the rows, which may be megabytes away. */
const HEADER = 'eval';
/** A row has this one, so a row with a member of the same name as a log's is no log. */
const OF_A_ROW = 'messages';

/** Whether a file that begins so is one document, pretty or in one line, and not a row a line. */
export function isLog(head: Uint8Array, member: string): boolean {
  const keys = new Set<string>();
  new MemberScanner(member, (key) => keys.add(key)).scan(Buffer.from(head));
  return !keys.has(OF_A_ROW) && (keys.has(member) || keys.has(HEADER));
}

/** Longer keys are not the one that is looked for. */
const LONGEST_KEY = 256;

class MemberScanner {
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The last string of the outermost object, which is a key if a colon follows. */
  #string: number[] = [];
  #isMember = false;
  /** `other`: the document is no object. */
  #state: 'start' | 'seeking' | 'inside' | 'other' = 'start';

  /** `onKey` is called with each key of the outermost object, or of several one after the other. */
  constructor(
    readonly member: string,
    readonly onKey: (key: string) => void = () => {},
  ) {}

  scan(piece: Buffer): Buffer {
    const parts: Buffer[] = [];
    let from = this.#state === 'inside' || this.#state === 'other' ? 0 : -1;
    for (let at = 0; at < piece.length && this.#state !== 'other'; at++) {
      const byte = piece[at] as number;
      const was = this.#state;
      this.#step(byte);
      if (was === 'seeking' && this.#state === 'inside') from = at;
      else if (was === 'inside' && this.#state === 'seeking') {
        parts.push(piece.subarray(from, at + 1));
        from = -1;
      } else if (was === 'start' && (this.#state as string) === 'other') from = 0;
    }
    if (from >= 0) parts.push(piece.subarray(from));
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  }

  #step(byte: number): void {
    if (this.#inString) this.#stepInString(byte);
    else if (byte === QUOTE) {
      this.#inString = true;
      this.#string = [];
    } else if (this.#state === 'start') this.#begin(byte);
    else this.#stepOutside(byte);
  }

  #begin(byte: number): void {
    // Spaces and a byte order mark come first.
    if (byte <= 0x20 || byte >= 0x80) return;
    this.#state = byte === OPEN_OBJECT ? 'seeking' : 'other';
    this.#depth = 1;
  }

  #stepInString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) {
      this.#inString = false;
      return;
    }
    if (this.#depth === 1 && this.#string.length < LONGEST_KEY) this.#string.push(byte);
  }

  #stepOutside(byte: number): void {
    if (byte === COLON && this.#depth === 1) {
      const key = Buffer.from(this.#string).toString('utf8');
      this.onKey(key);
      this.#isMember = key === this.member;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (this.#depth === 1 && this.#isMember && byte === OPEN_LIST) this.#state = 'inside';
      this.#depth++;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      this.#depth--;
      if (this.#depth === 1 && this.#state === 'inside') this.#state = 'seeking';
    }
  }
}
