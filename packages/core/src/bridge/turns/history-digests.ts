// Short digests of what came before a turn, which tell apart turns with equal content in different conversations of one
// client. They need not resist an attacker: a client finds only its own turns by them, and their content is compared, too.

import { callsOf } from '../../engine/message-text.js';
import { ConstantMap, isConstant } from '../../model/constants.js';
import type { AssistantMessage, Message } from '../../model/index.js';

/** The digests of one conversation, made when they are asked for. */
export class HistoryDigests {
  /** By the number of messages that they cover. */
  #chained: TextHash[] | undefined;

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
    if (calls.length > 0 && calls.every(({ id }) => isRandom(id))) {
      const message = this.messages[at - 1];
      // Undefined: the turn is the first message.
      return message ? digestOfMessage(message).text : '';
    }
    this.#chained ??= this.#chain();
    return this.#chained[at]?.text ?? '';
  }

  #chain(): TextHash[] {
    let last = new TextHash();
    const chained = [last];
    for (const message of this.messages) {
      if (this.withSystem || message.role !== 'system') last = last.with(digestOfMessage(message));
      chained.push(last);
    }
    return chained;
  }
}

/** Whether an id looks drawn: long, with letters and digits. Models count theirs (`functions.weather:0`). */
function isRandom(id: string): boolean {
  const [drawn = ''] = id.match(/[A-Za-z0-9]{16,}/) ?? [];
  return (drawn.match(/[0-9]/g)?.length ?? 0) > 1 && /[A-Za-z]/.test(drawn);
}

const digests = new ConstantMap<Message, TextHash>();

/** The reasoning of an answer does not count: clients leave it out. */
function digestOfMessage(message: Message): TextHash {
  const known = digests.get(message);
  if (known !== undefined) return known;
  const digest = digestOf(message);
  if (isConstant(message)) digests.set(message, digest);
  return digest;
}

function digestOf({ role, parts }: Message): TextHash {
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
  return hash;
}

/** Shorter texts are taken character by character: a call of the encoder has its price. */
const SHORT = 48;
/** Characters that are encoded at once. */
const PIECE = 8192;
const utf8 = new TextEncoder();
/** A character of UTF-16 has at most three bytes; the last word may need three more. */
const bytes = new Uint8Array(3 * PIECE + 4);
const words = new Int32Array(bytes.buffer);

/** Two multiplicative hashes of 32 bits with different factors. Texts are hashed by words of four bytes. */
class TextHash {
  #one = 0x2f6b1c35;
  #two = 0x51ed270b;
  #length = 0;

  add(text: string): void {
    if (text.length < SHORT) for (let at = 0; at < text.length; at++) this.#mix(text.charCodeAt(at));
    else for (let at = 0; at < text.length; at += PIECE) this.#addPiece(text.slice(at, at + PIECE));
    this.#length += text.length;
    // The end of a text counts, so that two texts are no other two with the same characters.
    this.#mix(~text.length);
  }

  /** Gives the hash that goes on with another one. */
  with(other: TextHash): TextHash {
    const hash = new TextHash();
    hash.#one = this.#one;
    hash.#two = this.#two;
    hash.#length = this.#length + other.#length;
    for (const word of [other.#one, other.#two, other.#length]) hash.#mix(word);
    return hash;
  }

  #addPiece(text: string): void {
    const { written } = utf8.encodeInto(text, bytes);
    bytes.fill(0, written, written + 3);
    let [one, two] = [this.#one, this.#two];
    for (let at = 0; 4 * at < written; at++) {
      const word = words[at] as number;
      one = Math.imul(one ^ word, 0x85ebca6b);
      two = Math.imul(two ^ word, 0xc2b2ae35);
      // A product carries bits upwards only.
      one = (one << 13) | (one >>> 19);
      two = (two << 17) | (two >>> 15);
    }
    this.#one = one;
    this.#two = two;
  }

  #mix(word: number): void {
    const one = Math.imul(this.#one ^ word, 0x85ebca6b);
    const two = Math.imul(this.#two ^ word, 0xc2b2ae35);
    this.#one = (one << 13) | (one >>> 19);
    this.#two = (two << 17) | (two >>> 15);
  }

  get text(): string {
    return [this.#one >>> 0, this.#two >>> 0, this.#length].map((part) => part.toString(36)).join('.');
  }
}
