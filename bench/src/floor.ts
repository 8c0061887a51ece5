// The floor: the least a reader does that finds calls in a stream and never shows half a marker. It appends a
// delta, finds the marker, holds back the longest end that the marker begins with, and gives the text before it:
// for the opener first, then for the closer. It reads nothing: no names, no JSON, no types, no positions.

export class Floor {
  readonly #open: string;
  readonly #close: string;
  #marker: string;
  #held = '';

  constructor(open: string, close: string) {
    this.#open = open;
    this.#close = close;
    this.#marker = open;
  }

  /** Gives all text that is certain by now, without the markers. */
  feed(delta: string): string {
    let text = this.#held + delta;
    let said = '';
    for (let at = text.indexOf(this.#marker); at >= 0; at = text.indexOf(this.#marker)) {
      said += text.slice(0, at);
      text = text.slice(at + this.#marker.length);
      this.#marker = this.#marker === this.#open ? this.#close : this.#open;
    }
    return said + this.#holdBack(text);
  }

  finish(): string {
    return this.#held;
  }

  #holdBack(text: string): string {
    const marker = this.#marker;
    const first = marker.charAt(0);
    let at = text.indexOf(first, Math.max(0, text.length - marker.length + 1));
    while (at >= 0 && !marker.startsWith(text.slice(at))) at = text.indexOf(first, at + 1);
    this.#held = at < 0 ? '' : text.slice(at);
    return at < 0 ? text : text.slice(0, at);
  }
}
