// A tokenizer of a model, by @huggingface/tokenizers. The library gives tokens without their places in the text: here
// they are found from what the tokens spell, and a text that they do not spell is a bad row.

import { Buffer } from 'node:buffer';
import { RowError } from '../forms/form.js';
import type { ChatTemplate } from '../train/chat-tokens.js';
import type { TextTokenizer, TokenPiece } from '../train/training.js';
import type { TokenizerFile } from './block.js';
import { createChatTemplate } from './chat-template.js';
import { ConvertError, messageOf } from './convert-error.js';
import { readTokenizer } from './tokenizer-file.js';

/** A tokenizer, and the chat template beside it. */
export interface LoadedTokenizer extends TextTokenizer {
  /** Throws a ConvertError if there is none. */
  chat(): ChatTemplate;
}

/** Throws a ConvertError if the file is no tokenizer that the library knows. */
export async function loadTokenizer(file: TokenizerFile): Promise<LoadedTokenizer> {
  const { tokenizer, config } = readTokenizer(file);
  const { Tokenizer } = await import('@huggingface/tokenizers');
  try {
    const tokens = new PlacedTokens(new Tokenizer(tokenizer, config), isByteLevel(tokenizer));
    const specials = () => [...tokens.specials, ...endToken(config)];
    return Object.assign(tokens, { chat: () => createChatTemplate(config, file.path, file.day, specials()) });
  } catch (error) {
    throw new ConvertError(`${file.path} is no tokenizer that can be used: ${messageOf(error)}`, 'input');
  }
}

/** Whether the vocabulary writes bytes as letters. */
function isByteLevel(tokenizer: object): boolean {
  const { pre_tokenizer, decoder } = tokenizer as Record<string, unknown>;
  return /"type":"ByteLevel"/.test(JSON.stringify([pre_tokenizer, decoder]));
}

/** The end of an answer by the configuration, which is a special token of nearly every tokenizer. */
function endToken(config: object): string[] {
  const { eos_token: token } = config as { eos_token?: string | { content?: string } };
  const text = typeof token === 'object' ? token?.content : token;
  return typeof text === 'string' ? [text] : [];
}

/** The part of the library's tokenizer that is used. */
interface Library {
  normalizer: ((text: string) => string) | null | unknown;
  encode(text: string, options: { add_special_tokens: boolean }): { ids: number[]; tokens: string[] };
  get_added_tokens_decoder(): Map<number, { content: string; special?: boolean }>;
}

class PlacedTokens implements TextTokenizer {
  readonly #added: ReadonlyMap<number, string>;
  readonly specials: readonly string[];
  readonly #spelling = new Map<number, Uint8Array>();
  /** Whether the normalizer puts the sign of a space in front of each text. */
  readonly #addsSign: boolean;

  constructor(
    readonly library: Library,
    readonly byteLevel: boolean,
  ) {
    const { normalizer } = library;
    this.#addsSign = typeof normalizer === 'function' && normalizer('a').startsWith(SIGN);
    const added = [...library.get_added_tokens_decoder()];
    this.#added = new Map(added.map(([id, { content }]) => [id, content]));
    this.specials = added.flatMap(([, { content, special }]) => (special ? [content] : []));
  }

  encode(text: string): TokenPiece[] {
    const { ids, tokens } = this.library.encode(text, { add_special_tokens: false });
    const written = this.#normalized(text);
    const bytes = Buffer.from(written, 'utf8');
    const placed: TokenPiece[] = [];
    for (let first = 0; first < ids.length; first = placed.length) {
      const at = placed.at(-1)?.end ?? 0;
      const end = this.#sectionEnd(ids, first);
      const [section, spelled] = [ids.slice(first, end), tokens.slice(first, end)];
      placed.push(
        ...(this.#placed(bytes, at, section, spelled, false) ??
          this.#placed(bytes, at, section, spelled, true) ??
          unspelled(`the tokens from ${JSON.stringify(spelled[0])} on have`)),
      );
    }
    if ((placed.at(-1)?.end ?? 0) !== bytes.length) unspelled('the text has');
    const inText = bytes.length === written.length ? placed : inCharacters(placed, bytes);
    return inText.map((piece) => withPlace(piece, written));
  }

  place(text: string, position: number): number {
    return this.#normalized(text) === text ? position : this.#normalized(text.slice(0, position)).length;
  }

  #last: { text: string; normalized: string } | undefined;

  #normalized(text: string): string {
    const { normalizer } = this.library;
    if (typeof normalizer !== 'function') return text;
    // A normalizer that only adds or replaces the signs of spaces changes nothing here: tokens spell spaces.
    if (this.#last?.text !== text) {
      const normalized = normalizer(text).slice(this.#addsSign ? SIGN.length : 0);
      this.#last = { text, normalized: unmarked(normalized, text) };
    }
    return this.#last.normalized;
  }

  /** Gives the end of the tokens that the library encodes in one go: an added token, or all between two of them. */
  #sectionEnd(ids: readonly number[], first: number): number {
    let end = first;
    while (end < ids.length && !this.#added.has(ids[end] as number)) end++;
    return Math.max(end, first + 1);
  }

  /**
   * Gives the bytes of tokens. `isAdded`: the tokenizer has added a space in front, which the text does not have.
   * Undefined if the tokens do not spell what stands there.
   */
  #placed(
    bytes: Buffer,
    begin: number,
    ids: readonly number[],
    tokens: readonly string[],
    isAdded: boolean,
  ): TokenPiece[] | undefined {
    const placed: TokenPiece[] = [];
    let at = begin;
    for (const [index, id] of ids.entries()) {
      const spelled = this.#spelled(id, tokens[index] ?? '');
      const skipped = isAdded && index === 0 ? 1 : 0;
      if (skipped === 1 && spelled[0] !== SPACE) return undefined;
      const end = endOfPiece(bytes, at, spelled, skipped);
      if (end < 0) return undefined;
      placed.push({ id, start: at, end });
      at = end;
    }
    return placed;
  }

  #spelled(id: number, token: string): Uint8Array {
    let spelled = this.#spelling.get(id);
    if (spelled === undefined) {
      spelled = Buffer.from(this.#added.get(id) ?? spell(token, this.byteLevel));
      this.#spelling.set(id, spelled);
    }
    return spelled;
  }
}

const SPACE = 0x20;
const SIGN = '\u2581';
const SIGN_BYTES = Buffer.from(SIGN);

/** Gives the end of a piece, without its first bytes; -1 if the text has others. */
function endOfPiece(bytes: Buffer, begin: number, piece: Uint8Array, skipped: number): number {
  let at = begin;
  for (let n = skipped; n < piece.length; n++) {
    if (bytes[at] === piece[n]) at++;
    // The sign of a space may also be a character of the text.
    else if (piece[n] === SPACE && SIGN_BYTES.equals(bytes.subarray(at, at + SIGN_BYTES.length)))
      at += SIGN_BYTES.length;
    else return -1;
  }
  return at;
}

/** An added space that is a token of its own has the place of the character behind it, as in the library `tokenizers`. */
function withPlace(piece: TokenPiece, text: string): TokenPiece {
  const { start, end } = piece;
  if (end > start) return piece;
  return { ...piece, end: start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1) };
}

/** Takes the signs of spaces (▁) back, where the normalizer did nothing else. */
function unmarked(normalized: string, text: string): string {
  const signed = text.replaceAll(' ', SIGN);
  if (normalized === signed) return text;
  return text.includes(SIGN) ? normalized : normalized.replaceAll(SIGN, ' ');
}

/** Gives the bytes that a token of the vocabulary stands for. */
function spell(token: string, isBytes: boolean): Uint8Array {
  if (isBytes) return bytesOf(token);
  const byte = /^<0x([0-9A-F]{2})>$/.exec(token)?.[1];
  if (byte !== undefined) return Uint8Array.of(Number.parseInt(byte, 16));
  return Buffer.from(token.replaceAll(SIGN, ' '));
}

function bytesOf(token: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of token) {
    const value = byteLevel.get(character);
    if (value === undefined) return Buffer.from(token);
    bytes.push(value);
  }
  return Uint8Array.from(bytes);
}

/** The letters that byte-level vocabularies write for bytes: printable ones stand for themselves. */
const byteLevel: ReadonlyMap<string, number> = (() => {
  const letters = new Map<string, number>();
  let next = 256;
  for (let byte = 0; byte < 256; byte++) {
    const isShown = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    letters.set(String.fromCodePoint(isShown ? byte : next++), byte);
  }
  return letters;
})();

/** Gives UTF-16 positions for bytes. A token that has a part of a character has the place of all of it. */
function inCharacters(tokens: readonly TokenPiece[], bytes: Buffer): TokenPiece[] {
  // The character that begins at byte `at`, and its place.
  let at = 0;
  let units = 0;
  const reach = (byte: number) => {
    while (at + lengthAt(bytes, at) <= byte && at < bytes.length) {
      const length = lengthAt(bytes, at);
      at += length;
      units += unitsOf(length);
    }
  };
  return tokens.map(({ id, start, end }) => {
    reach(start);
    const first = units;
    reach(end);
    return { id, start: first, end: at === end ? units : units + unitsOf(lengthAt(bytes, at)) };
  });
}

/** Gives the bytes of the character that begins here. */
function lengthAt(bytes: Buffer, at: number): number {
  const byte = bytes[at] ?? 0;
  return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

const unitsOf = (length: number) => (length === 4 ? 2 : 1);

/** Throws the error of a row. `what`: what has no place, with its verb. */
function unspelled(what: string): never {
  throw new RowError('prompt', `the tokenizer changes the text, so that ${what} no place in it`);
}
