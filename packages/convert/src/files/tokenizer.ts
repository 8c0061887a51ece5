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

  constructor(
    readonly library: Library,
    readonly byteLevel: boolean,
  ) {
    const added = [...library.get_added_tokens_decoder()];
    this.#added = new Map(added.map(([id, { content }]) => [id, content]));
    this.specials = added.flatMap(([, { content, special }]) => (special ? [content] : []));
  }

  encode(text: string): TokenPiece[] {
    const { ids, tokens } = this.library.encode(text, { add_special_tokens: false });
    const written = this.#normalized(text);
    const bytes = Buffer.from(written, 'utf8');
    const isAscii = bytes.length === written.length;
    const placed: TokenPiece[] = [];
    let at = 0;
    for (const [index, id] of ids.entries()) {
      const length = this.#lengthAt(bytes, at, id, tokens[index] ?? '');
      if (length < 0) throw unspelled(tokens[index] ?? '');
      placed.push({ id, start: at, end: at + length });
      at += length;
    }
    if (at !== bytes.length) throw unspelled('');
    return isAscii ? placed : inCharacters(placed, bytes);
  }

  place(text: string, position: number): number {
    return this.#normalized(text) === text ? position : this.#normalized(text.slice(0, position)).length;
  }

  #last: { text: string; normalized: string } | undefined;

  #normalized(text: string): string {
    const { normalizer } = this.library;
    if (typeof normalizer !== 'function') return text;
    // A normalizer that only adds or replaces the signs of spaces changes nothing here: tokens spell spaces.
    if (this.#last?.text !== text) this.#last = { text, normalized: unmarked(normalizer(text), text) };
    return this.#last.normalized;
  }

  /** Gives how many bytes the token spells at a place; -1 if they are others. */
  #lengthAt(bytes: Buffer, at: number, id: number, token: string): number {
    let spelled = this.#spelling.get(id);
    if (spelled === undefined) {
      spelled = Buffer.from(this.#added.get(id) ?? spell(token, this.byteLevel));
      this.#spelling.set(id, spelled);
    }
    const length = spelled.length;
    if (startsWith(bytes, at, spelled)) return length;
    // The sign of a space may also be a character of the text.
    const raw = token.includes(SIGN) ? Buffer.from(token) : undefined;
    if (raw && startsWith(bytes, at, raw)) return raw.length;
    // The first token of a text may have a space that the text does not have.
    if (at === 0 && spelled[0] === SPACE && startsWith(bytes, at, spelled.subarray(1))) return length - 1;
    return -1;
  }
}

const SPACE = 0x20;

function startsWith(bytes: Buffer, at: number, piece: Uint8Array): boolean {
  for (let n = 0; n < piece.length; n++) if (bytes[at + n] !== piece[n]) return false;
  return true;
}

/** Takes the signs of spaces (▁) back, where the normalizer did nothing else. */
function unmarked(normalized: string, text: string): string {
  const signed = text.replaceAll(' ', SIGN);
  if (normalized === signed || normalized === SIGN + signed) return text;
  return text.includes(SIGN) ? normalized : normalized.replaceAll(SIGN, ' ');
}

const SIGN = '\u2581';

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

function unspelled(token: string): RowError {
  const what = token === '' ? 'the text' : `the token ${JSON.stringify(token)}`;
  return new RowError('prompt', `the tokenizer changes the text, so that ${what} has no place in it`);
}
