// Parses JSON into a tree with the range of every value. The text comes from the library, so it is JSON or a prefix of
// it: the arguments of a call that still streams end anywhere.

export interface JsonNode {
  type: 'object' | 'array' | 'string' | 'number' | 'word';
  /** The name of a member, without its quotes; the index of an element. */
  key: string | undefined;
  /** The start of the key, or of the value where there is none. */
  start: number;
  valueStart: number;
  end: number;
  /** The value is not complete. */
  open: boolean;
  children: JsonNode[];
}

export function jsonTree(json: string): JsonNode | undefined {
  return new TreeReader(json).value(undefined, 0);
}

/** Gives the nodes around an offset, the innermost last. */
export function pathTo(root: JsonNode | undefined, offset: number): JsonNode[] {
  const path: JsonNode[] = [];
  let node = root && holds(root, offset) ? root : undefined;
  while (node) {
    path.push(node);
    node = node.children.find((child) => holds(child, offset));
  }
  return path;
}

const holds = ({ start, end }: JsonNode, offset: number) => start <= offset && offset < end;

export const isSpace = (character: string) => character !== '' && ' \n\r\t'.includes(character);

/** The library reads no JSON that is deeper. */
const MAX_DEPTH = 512;

class TreeReader {
  #at = 0;
  #depth = 0;

  constructor(readonly json: string) {}

  value(key: string | undefined, start: number): JsonNode | undefined {
    this.#space();
    const first = this.json.charAt(this.#at);
    if (first === '') return undefined;
    const node: JsonNode = {
      type: typeOf(first),
      key,
      start: key === undefined ? this.#at : start,
      valueStart: this.#at,
      end: this.#at,
      open: false,
      children: [],
    };
    if ((node.type === 'object' || node.type === 'array') && this.#depth < MAX_DEPTH) {
      this.#depth++;
      this.#members(node);
      this.#depth--;
    } else if (node.type === 'string') node.open = !this.#string();
    else node.open = !this.#word();
    node.end = this.#at;
    return node;
  }

  #members(node: JsonNode): void {
    this.#at++;
    for (;;) {
      this.#space();
      const next = this.json.charAt(this.#at);
      if (next === '') break;
      this.#at++;
      if (next === '}' || next === ']') return;
      if (next === ',') continue;
      this.#at--;
      const child =
        node.type === 'object' ? this.#member() : this.value(String(node.children.length), this.#at);
      if (!child) break;
      node.children.push(child);
    }
    node.open = true;
  }

  #member(): JsonNode | undefined {
    const start = this.#at;
    const closed = this.#string();
    const key = unquoted(this.json.slice(start, this.#at), closed);
    this.#space();
    if (this.json.charAt(this.#at) === ':') this.#at++;
    const value = this.value(key, start);
    if (value) return value;
    // Only the key is known.
    const end = this.#at;
    return { type: 'word', key, start, valueStart: end, end, open: true, children: [] };
  }

  /** Whether it was closed. */
  #string(): boolean {
    for (this.#at++; this.#at < this.json.length; this.#at++) {
      const character = this.json.charAt(this.#at);
      if (character === '\\') this.#at++;
      else if (character === '"') {
        this.#at++;
        return true;
      }
    }
    this.#at = this.json.length;
    return false;
  }

  /** Reads a number or a word. It is complete if something follows. */
  #word(): boolean {
    const start = this.#at;
    while (this.#at < this.json.length) {
      const character = this.json.charAt(this.#at);
      if (isSpace(character) || ',]}:"[{'.includes(character)) break;
      this.#at++;
    }
    // A character that starts no value is skipped, so that the loop ends.
    if (this.#at === start) this.#at++;
    return this.#at < this.json.length;
  }

  #space(): void {
    while (isSpace(this.json.charAt(this.#at))) this.#at++;
  }
}

function typeOf(first: string): JsonNode['type'] {
  if (first === '{') return 'object';
  if (first === '[') return 'array';
  if (first === '"') return 'string';
  return first === '-' || (first >= '0' && first <= '9') ? 'number' : 'word';
}

/** Gives the value of a string that is written with quotes. */
export function unquoted(written: string, closed: boolean): string {
  try {
    return JSON.parse(closed ? written : `${written}"`);
  } catch {
    return written.slice(1);
  }
}
