// The texts that were read as values of one call. Raw text may hold its own closer, and then it is read as if it ended
// there. What is left of it shows that: behind the call comes a closer that nothing opened.
//
//   <arg_value> a </arg_value> </tool_call> b </arg_value> </tool_call>
//               ^ the text that was read      ^ left over: was it `a` or `a</arg_value></tool_call>b`?

import { type Match, NO, NOT_YET } from '../../engine/markers.js';
import type { Leftover } from '../../engine/reader.js';
import { beginsTag, type Tag, type TaggedSpelling } from './tagged-spelling.js';

/** Longer tags are no closers of values. */
const TAG_LIMIT = 256;
const KEYS_NAMED = 3;

export class TextsRead {
  readonly #prefixes = new Set<string | undefined>();
  readonly #keys: string[] = [];

  /** Adds the text of a key, with its opening tag if it had one. */
  add(key: string, open: Tag | undefined): void {
    this.#prefixes.add(open?.prefix);
    if (this.#keys.length < KEYS_NAMED) this.#keys.push(key);
  }

  /** Whether this tag could close one of the texts. */
  couldClose({ kind, prefix }: Tag): boolean {
    return kind === 'value-close' && this.#prefixes.has(prefix);
  }

  get message(): string {
    const keys = this.#keys.map((key) => JSON.stringify(key)).join(' or ');
    return `The text of ${keys} may be cut: a closing tag is missing, or one is too many.`;
  }

  /** Gives what to look for behind the call; nothing if it has no texts. */
  leftover({ tag, firsts = '<' }: TaggedSpelling): Leftover | undefined {
    if (this.#prefixes.size === 0) return undefined;
    const match = (text: string, at: number, ended: boolean): Match => {
      if (!beginsTag(firsts, text, at)) return NO;
      const found = tag(text, at, ended);
      if (found === NOT_YET) return text.length - at <= TAG_LIMIT ? NOT_YET : NO;
      return found !== NO && found.length < TAG_LIMIT && this.couldClose(found) ? found.length : NO;
    };
    return { match, message: this.message };
  }
}
