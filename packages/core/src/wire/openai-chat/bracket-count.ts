// Whether JSON that arrives in pieces has closed all it opened. Looks at each character once.

export class BracketCount {
  #depth = 0;
  #opened = false;
  #inString = false;
  #escaped = false;

  get closed(): boolean {
    return this.#opened && this.#depth === 0;
  }

  feed(piece: string): void {
    for (let at = 0; at < piece.length; at++) {
      if (this.#escaped) this.#escaped = false;
      else if (this.#inString) this.#inside(piece.charAt(at));
      else this.#outside(piece.charAt(at));
    }
  }

  #inside(character: string): void {
    if (character === '\\') this.#escaped = true;
    else if (character === '"') this.#inString = false;
  }

  #outside(character: string): void {
    if (character === '"') this.#inString = true;
    else if (character === '}' || character === ']') this.#depth--;
    else if (character === '{' || character === '[') {
      this.#depth++;
      this.#opened = true;
    }
  }
}
