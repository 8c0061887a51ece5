// Short digests of what came before a turn, which tell apart turns with equal content in different conversations of one
// client. They need not resist an attacker: a client finds only its own turns by them, and their content is compared, too.

import { callsOf } from '../../engine/message-text.js';
import { isConstant } from '../../model/constants.js';
import type { AssistantMessage, Message } from '../../model/index.js';

/** The digests of one conversation, made when they are asked for. */
export class HistoryDigests {
  /** By the number of messages that they cover. */
  #chained: string[] | undefined;

  constructor(
    readonly messages: readonly Message[],
    readonly withSystem: boolean,
  ) {}

  /**
   * Gives the digest of what comes before the turn at this place: of the whole conversation, or only of the message before
   * it where the ids of the calls are random, since no other turn has them.
   */
  before(at: number, turn: AssistantMessage): string {
    const calls = callsOf(turn);
    if (calls.length > 0 && calls.every(({ id }) => isRandom(id)))
      return digestOfMessage(this.messages[at - 1]);
    this.#chained ??= this.#chain();
    return this.#chained[at] ?? '';
  }

  #chain(): string[] {
    const hash = new TextHash();
    const chained = [hash.text];
    for (const message of this.messages) {
      if (this.withSystem || message.role !== 'system') hash.add(digestOfMessage(message));
      chained.push(hash.text);
    }
    return chained;
  }
}

/** Whether an id looks drawn: long, with letters and digits. Models count theirs (`functions.weather:0`). */
function isRandom(id: string): boolean {
  const [drawn = ''] = id.match(/[A-Za-z0-9]{16,}/) ?? [];
  return (drawn.match(/[0-9]/g)?.length ?? 0) > 1 && /[A-Za-z]/.test(drawn);
}

const digests = new WeakMap<Message, string>();

/** Undefined: the turn is the first message. The reasoning of an answer does not count: clients leave it out. */
function digestOfMessage(message: Message | undefined): string {
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
    if (part.type === 'text') hash.add(part.text.trim());
    else if (part.type === 'media') hash.add(JSON.stringify(part.media));
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
