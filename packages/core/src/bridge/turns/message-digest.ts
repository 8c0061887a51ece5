// A short digest of a message, which tells apart turns with equal content in different conversations of one client. It
// need not resist an attacker: a client finds only its own turns by it, and their content is compared, too.

import type { Message } from '../../model/index.js';
import { isConstant } from '../../model/repeated-values.js';

const digests = new WeakMap<Message, string>();

/** Undefined: the turn is the first message. */
export function digestOfMessage(message: Message | undefined): string {
  if (!message) return '';
  const known = digests.get(message);
  if (known !== undefined) return known;
  const digest = digestOf(message);
  if (isConstant(message)) digests.set(message, digest);
  return digest;
}

function digestOf({ role, parts }: Message): string {
  const hash = new TextHash();
  hash.add(role);
  for (const part of parts) {
    if (part.type === 'text' || part.type === 'reasoning') hash.add(part.text);
    else if (part.type === 'tool-result') {
      hash.add(part.callId);
      hash.add(typeof part.output === 'string' ? part.output : JSON.stringify(part.output));
    } else if (part.type === 'tool-call') hash.add(part.id);
  }
  return hash.text;
}

/** Two multiplicative hashes of 32 bits with different seeds. */
class TextHash {
  #one = 0x2f6b1c35;
  #two = 0x51ed270b;
  #length = 0;

  add(text: string): void {
    let [one, two] = [this.#one, this.#two];
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      one = Math.imul(one ^ code, 0x85ebca6b);
      two = Math.imul(two ^ code, 0xc2b2ae35);
    }
    // The end of a text counts, so that two texts are no other two with the same characters.
    this.#one = Math.imul(one ^ 0xffff ^ (two >>> 15), 0x9e3779b1);
    this.#two = Math.imul(two ^ 0xffff ^ (one >>> 13), 0x27d4eb2f);
    this.#length += text.length;
  }

  get text(): string {
    return [this.#one >>> 0, this.#two >>> 0, this.#length].map((part) => part.toString(36)).join('.');
  }
}
