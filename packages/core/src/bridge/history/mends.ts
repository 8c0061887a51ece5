// The list of what was mended in one request.

import type { Mend, MendCode, Message } from '../../model/index.js';

/** A message, and its index in the conversation as it came. */
export interface PlacedMessage {
  message: Message;
  at: number;
}

/** The most mends that one report lists. */
const MOST = 1000;

export class Mends {
  readonly list: Mend[] = [];
  #more: Mend | undefined;
  #count = 0;

  add(code: MendCode, path: string, message: string): void {
    this.#count++;
    if (this.#more) this.#more.message = `${this.#count - MOST} more.`;
    else if (this.list.length < MOST) this.list.push({ code, path, message });
    else {
      this.#more = { code: 'more', path, message: '1 more.' };
      this.list.push(this.#more);
    }
  }
}

export function partPath(message: number, part: number): string {
  return `messages[${message}].parts[${part}]`;
}

/** Quotes an id, shortened: a client may send ids of any length. */
export function quoted(id: string): string {
  return JSON.stringify(id.length > 64 ? `${id.slice(0, 64)}…` : id);
}
