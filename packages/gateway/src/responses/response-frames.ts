// Finds the few server-sent events that hold a whole response. Everything else passes as it comes, also in the middle of
// a line; only what may still become such an event waits.

/** An event that holds a response: its name, and its text with the blank line after it. */
export interface ResponseFrame {
  name: string;
  text: string;
}

const START = 'event: response.';
const names = ['created', 'in_progress', 'completed', 'incomplete', 'failed'];
const starts = names.map((name) => `${START}${name}\n`);

export class ResponseFrames {
  /** The start of a line that may become the start of a frame. */
  #held = '';
  /** A frame whose end has not come yet, in pieces: it may be long, and is joined once. */
  #open: { name: string; pieces: string[] } | undefined;
  /** Whether what comes next begins a line. */
  #atLineStart = true;

  /** Gives pieces to pass on, and frames, in order. */
  feed(text: string): (string | ResponseFrame)[] {
    const out: (string | ResponseFrame)[] = [];
    let rest = this.#held + text;
    this.#held = '';
    while (rest !== '') {
      rest = this.#open === undefined ? this.#outside(rest, out) : this.#inside(rest, out);
    }
    return out;
  }

  /** Gives what still waits when the stream is over. */
  finish(): string {
    const waiting = this.#held + (this.#open?.pieces.join('') ?? '');
    this.#held = '';
    this.#open = undefined;
    return waiting;
  }

  /** Passes everything up to a frame, and gives the rest. */
  #outside(text: string, out: (string | ResponseFrame)[]): string {
    const at = this.#nextStart(text);
    if (at > 0) out.push(this.#pass(text.slice(0, at)));
    const start = starts.find((each) => text.startsWith(each, at));
    if (start === undefined) {
      this.#held = text.slice(at);
      return '';
    }
    this.#open = { name: start.slice('event: '.length, -1), pieces: [start] };
    return text.slice(at + start.length);
  }

  /** Takes everything up to the blank line, and gives the rest. */
  #inside(text: string, out: (string | ResponseFrame)[]): string {
    const { name, pieces } = this.#open as { name: string; pieces: string[] };
    const ended = text.startsWith('\n') && pieces.at(-1)?.endsWith('\n');
    const blank = ended ? -1 : text.indexOf('\n\n');
    const end = ended ? 1 : blank + 2;
    if (!ended && blank < 0) {
      pieces.push(text);
      return '';
    }
    pieces.push(text.slice(0, end));
    out.push({ name, text: pieces.join('') });
    this.#open = undefined;
    this.#atLineStart = true;
    return text.slice(end);
  }

  #pass(text: string): string {
    this.#atLineStart = text.endsWith('\n');
    return text;
  }

  /** Gives where a response frame begins or may begin; the length of the text if nowhere. */
  #nextStart(text: string): number {
    let line = this.#atLineStart ? 0 : text.indexOf('\n') + 1;
    if (!this.#atLineStart && line === 0) return text.length;
    while (line < text.length) {
      if (mayStart(text, line)) return line;
      const next = text.indexOf('\n', line);
      if (next < 0) return text.length;
      line = next + 1;
    }
    return text.length;
  }
}

function mayStart(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== 0x65) return false; // e
  const left = text.slice(at, at + START.length + 12);
  return starts.some(
    (start) => left.startsWith(start) || (at + left.length === text.length && start.startsWith(left)),
  );
}
