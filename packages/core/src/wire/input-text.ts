// The input of a freeform tool, between the JSON of a call's arguments and the text that an API sends.
//
//   {"input":"*** Begin Patch\n…"}   <->   *** Begin Patch⏎…

import { INPUT_CLOSER, INPUT_OPENER } from '../model/freeform.js';
import { isHighSurrogate } from '../model/surrogates.js';

/** Places of the opener before which JSON may have white space. */
const gaps = [0, 1, INPUT_OPENER.length - 2, INPUT_OPENER.length - 1];

/**
 * Decodes the arguments of a call while they arrive: each character as soon as it is certain. Arguments that are not
 * those of a freeform tool are given as they are, so that nothing is lost.
 */
export class InputText {
  #state: 'opener' | 'text' | 'over' | 'as-is' = 'opener';
  /** How much of the opener was read. */
  #at = 0;
  /** Characters that are not certain: the opener, or the start of an escape or of a surrogate pair. */
  #held = '';

  feed(json: string): string {
    if (this.#state === 'as-is') return json;
    if (this.#state === 'opener') return this.#opener(json);
    return this.#state === 'text' ? this.#text(json) : '';
  }

  /** Gives what waits at the end of the arguments. */
  finish(): string {
    const held = this.#held;
    this.#held = '';
    return this.#state === 'text' ? held.toWellFormed() : held;
  }

  #opener(json: string): string {
    for (let from = 0; from < json.length; from++) {
      const character = json.charAt(from);
      if (character === INPUT_OPENER.charAt(this.#at)) this.#at++;
      else if (!isSpace(character) || !gaps.includes(this.#at)) return this.#giveUp(json);
      if (this.#at === INPUT_OPENER.length) return this.#begin(json.slice(from + 1));
    }
    this.#held += json;
    return '';
  }

  #giveUp(json: string): string {
    this.#state = 'as-is';
    const held = this.#held;
    this.#held = '';
    return held + json;
  }

  #begin(json: string): string {
    this.#state = 'text';
    this.#held = '';
    return this.#text(json);
  }

  #text(piece: string): string {
    const json = this.#held + piece;
    const out: string[] = [];
    let at = 0;
    while (at < json.length && this.#state === 'text') {
      const next = nextMark(json, at);
      if (next > at) out.push(json.slice(at, next));
      const length = escapeLength(json, next);
      at = next + length;
      // The closing quote, or the end of what is there.
      if (json.charAt(next) === '"') this.#state = 'over';
      if (length === 0) break;
      if (json.charAt(next) === '\\') out.push(unescaped(json.slice(next, at)));
    }
    this.#held = this.#state === 'text' ? json.slice(at) : '';
    return this.#whole(out.join(''));
  }

  /** Holds back the first half of a surrogate pair. */
  #whole(text: string): string {
    const last = text.charCodeAt(text.length - 1);
    if (this.#state !== 'text' || !isHighSurrogate(last)) return text.toWellFormed();
    this.#held = text.slice(-1) + this.#held;
    return text.slice(0, -1).toWellFormed();
  }
}

/** Decodes the whole arguments of a call. */
export function inputText(json: string): string {
  const reader = new InputText();
  return reader.feed(json) + reader.finish();
}

function nextMark(json: string, from: number): number {
  for (let at = from; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === 0x22 || code === 0x5c) return at;
  }
  return json.length;
}

/** The length of the quote or escape here; 0 at the end, and where the rest of an escape has not come. */
function escapeLength(json: string, at: number): number {
  if (at >= json.length || json.charAt(at) === '"') return json.length > at ? 1 : 0;
  const length = json.charAt(at + 1) === 'u' ? 6 : 2;
  return at + length <= json.length ? length : 0;
}

/** Decodes one escape; one that JSON does not know is given as it is. */
function unescaped(written: string): string {
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t';
}

/** Writes the text of a freeform call as the arguments of a function, while it arrives. */
export class InputJson {
  #begun = false;

  delta(text: string): string {
    const opener = this.#begun ? '' : INPUT_OPENER;
    this.#begun = true;
    return opener + JSON.stringify(text).slice(1, -1);
  }

  /** Gives the end of the arguments. */
  end(): string {
    return `${this.#begun ? '' : INPUT_OPENER}${INPUT_CLOSER}`;
  }
}
