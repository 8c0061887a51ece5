// Reads the tool results at the start of a text.

import type { Dialect, ReadResults } from './dialect.js';
import { readOutside } from './read-text.js';
import { type ResultSlot, type ResultTemplate, resultTemplate } from './result-template.js';

export interface ResultSource {
  /** How many calls have no result yet. */
  waiting: number;
  /** Whether the text holds results and nothing else. */
  alone: boolean;
  /** How many results of the same turn were read before, where each has a text of its own. */
  before?: number;
}

type Result = ReadResults['results'][number];

export interface FoundResults extends ReadResults {
  /** Any text may contain the separator between two results, and the number found is not the number expected. */
  isUntold?: boolean;
  /** Nothing marks the end of the last result, so the text after a blank line may not belong to it. */
  isOpen?: boolean;
}

/** Reads the results; undefined if there are none. */
export function readResults(
  dialect: Dialect,
  text: string,
  source: ResultSource = { waiting: 1, alone: false },
): FoundResults | undefined {
  const back = dialect.render.back;
  if (back?.results) return back.results(text);
  const { isMarked } = resultTemplate(dialect);
  // Without a marker, a text begins results only where results are expected: any text could begin with these words.
  const isDue = source.alone || (source.waiting > 0 && dialect.traits.resultRole === 'user');
  if (!isMarked && !isDue) return undefined;
  return new Results(dialect, text, source).read();
}

class Results {
  readonly #found: Result[] = [];
  #at = 0;
  #end: number | undefined;

  constructor(
    readonly dialect: Dialect,
    readonly text: string,
    readonly source: ResultSource,
  ) {}

  read(): FoundResults | undefined {
    for (;;) {
      const result = this.#result();
      if (!result) return undefined;
      this.#found.push(result);
      const { each, close, isDivided } = this.#template;
      if (this.#begins(each[this.#place]?.[0], this.#at)) continue;
      const { text } = this;
      if (!text.startsWith(close, this.#at)) return undefined;
      const end = this.#at + close.length;
      const isOpen = close === '' && !this.source.alone && this.#found.at(-1)?.text.includes('\n\n') === true;
      const isUntold = !isDivided && this.#found.length !== this.source.waiting;
      return { results: this.#found, end, ...(isOpen && { isOpen }), ...(isUntold && { isUntold }) };
    }
  }

  get #template(): ResultTemplate {
    return resultTemplate(this.dialect, this.#place + 2);
  }

  /** The index of the next result within its turn. */
  get #place(): number {
    return this.#found.length + (this.source.before ?? 0);
  }

  /** The slots of the next result. At the start of a text there is no separator before it. */
  get #slots(): readonly ResultSlot[] {
    const { each } = this.#template;
    const here = each[this.#place] ?? [];
    return this.#found.length > 0 ? here : [...(each[0]?.slice(0, 1) ?? []), ...here.slice(1)];
  }

  #result(): Result | undefined {
    const result: Partial<Result> = {};
    const slots = this.#slots;
    for (const [index, slot] of slots.entries()) {
      if (!this.text.startsWith(slot.before, this.#at)) return undefined;
      this.#at += slot.before.length;
      const value = slot.json ? this.#json() : this.#raw(slots[index + 1]);
      // A name may be written twice.
      if (value === undefined || (result[slot.says] ?? value) !== value) return undefined;
      result[slot.says] = value;
    }
    const { text, ...others } = result;
    return text === undefined ? undefined : { text, ...others };
  }

  #json(): string | undefined {
    let end = this.#at + 1;
    while (end < this.text.length && this.text.charAt(end) !== '"') {
      end += this.text.charAt(end) === '\\' ? 2 : 1;
    }
    try {
      const value: unknown = JSON.parse(this.text.slice(this.#at, end + 1));
      this.#at = end + 1;
      return typeof value === 'string' ? value : undefined;
    } catch {
      return undefined;
    }
  }

  #raw(next: ResultSlot | undefined): string | undefined {
    const end = next ? this.text.indexOf(next.before, this.#at) : this.#lastEnd();
    if (end < 0) return undefined;
    const written = this.text.slice(this.#at, end);
    this.#at = end;
    return readOutside(this.dialect, written) ?? written;
  }

  /** Finds the end of a result's last text: before the next result, or before what closes them all. */
  #lastEnd(): number {
    const { each, close, isDivided } = this.#template;
    const closed = this.#closed(close);
    const next = each[this.#place + 1]?.[0];
    // The only result that is expected is one, whatever it contains.
    if (!next || closed < 0 || (!isDivided && this.source.waiting <= 1)) return closed;
    for (let at = this.#at; ; at++) {
      at = this.text.indexOf(next.before, at);
      if (at < 0 || at >= closed) return closed;
      if (this.#begins(next, at)) return at;
    }
  }

  /** Finds the closing text, searching only once as long as it is ahead: many results may come before it. */
  #closed(close: string): number {
    if (this.#end !== undefined && this.#end >= this.#at) return this.#end;
    this.#end = close === '' ? this.text.length : this.text.indexOf(close, this.#at);
    return this.#end;
  }

  /** Whether a result begins here: its opening text, and a name where one is expected. */
  #begins(slot: ResultSlot | undefined, at: number): boolean {
    if (!slot || !this.text.startsWith(slot.before, at)) return false;
    if (slot.says !== 'name' || slot.json || this.#template.isDivided) return true;
    const start = at + slot.before.length;
    const behind = this.#template.each[1]?.[1]?.before ?? '';
    const end = this.text.indexOf(behind, start);
    return end > start && isName(this.text.slice(start, end));
  }
}

/** Whether the text could be the name of a tool. */
function isName(text: string): boolean {
  return /^[\p{L}\p{N}_.$:/-]{1,128}$/u.test(text);
}
