// Writes a prompt: every character is either ours (markup) or from outside (content), and markers in content are
// neutralised. The spans record the origin of each range.

import {
  type AssistantMessage,
  type ExactValue,
  type JsonValue,
  stringifyJson,
  UsageError,
  type WrittenTurn,
  writtenOf,
} from '../model/index.js';
import type { Safety } from './dialect.js';
import { escapeMarkers, hasMarker, type MarkerSet, neutralise, neutraliseEnd } from './markers.js';
import { type TurnPlace, writeOwnWords } from './own-words.js';

export interface Span {
  start: number;
  end: number;
  origin: 'ours' | 'outside';
}

/** A dot-and-bracket path to the field a text came from, for `reject`. */
export type FieldPath = string;

const NOTHING: ReadonlySet<FieldPath> = new Set();

export class Writer {
  #text = '';
  #spans: Span[] = [];
  /** Text from outside that is not written yet, because the text after it may complete a marker. */
  #pending: { text: string; field: FieldPath; markers: MarkerSet } | undefined;

  constructor(
    readonly markers: MarkerSet,
    readonly safety: Safety = 'escape',
    /** Fields whose text counts as ours, although it is in the place of text from outside. */
    readonly trusted: ReadonlySet<FieldPath> = NOTHING,
    /** The name of the dialect that is written. */
    readonly dialect = '',
  ) {}

  get text(): string {
    return this.#settle().#text;
  }

  get spans(): Span[] {
    return this.#settle().#spans;
  }

  ours(text: string): this {
    return text === '' ? this : this.#settle(text).#push(text, 'ours');
  }

  /**
   * Writes text from outside. Consecutive pieces are neutralised as one text, because a marker may be split between
   * them.
   */
  outside(text: string, field: FieldPath, markers: MarkerSet = this.markers): this {
    if (this.trusted.has(field)) return this.ours(text);
    if (this.#pending?.markers === markers) this.#pending.text += text;
    else this.#settle().#pending = { text, field, markers };
    return this;
  }

  /** Writes an assistant's text: as `outside`, but the beginning of a call without a marker is broken, too. */
  answer(text: string, field: FieldPath): this {
    return this.outside(text, field, this.markers.said);
  }

  /** Gives what the model wrote in this turn, if it is known and may be written again as it is. */
  wordsOf(message: AssistantMessage): WrittenTurn | undefined {
    const written = writtenOf(message);
    if (written?.dialect !== this.dialect || (written.dividing && this.safety !== 'exact')) return undefined;
    return written;
  }

  /** Writes a turn in the words of the model; false if they are not known or do not fit the place. */
  ownWords(message: AssistantMessage, place: TurnPlace): boolean {
    return writeOwnWords(this, message, place);
  }

  /** Writes a value from outside as JSON in Python's format; a marker's first character is escaped, as `\u003c`. */
  json(value: ExactValue | JsonValue, field: FieldPath): this {
    return this.jsonText(stringifyJson(value, 'python'), field);
  }

  /** Writes JSON text from outside. Markers in it are escaped without loss. */
  jsonText(json: string, field: FieldPath, markers: MarkerSet = this.markers): this {
    const whole = wellFormed(json);
    this.#settle();
    if (this.safety === 'exact' || !hasMarker(whole, markers)) return this.#push(whole, 'outside');
    if (this.safety === 'reject') throw rejected(field);
    return this.#push(escapeMarkers(whole, markers), 'outside');
  }

  /** Writes the pending text. `ahead` is our own text that comes next. */
  #settle(ahead = ''): this {
    const pending = this.#pending;
    this.#pending = undefined;
    if (!pending) return this;
    const { text, field, markers } = pending;
    const guarded = this.#guard(text, field, markers);
    const whole = this.safety === 'escape' ? neutraliseEnd(guarded, ahead, markers) : guarded;
    return this.#push(whole, 'outside');
  }

  #guard(text: string, field: FieldPath, markers: MarkerSet): string {
    const whole = wellFormed(text);
    if (this.safety === 'exact') return whole;
    if (this.safety === 'reject' && hasMarker(whole, markers)) throw rejected(field);
    return neutralise(whole, markers);
  }

  #push(text: string, origin: Span['origin']): this {
    if (text === '') return this;
    const start = this.#text.length;
    this.#text += text;
    const last = this.#spans.at(-1);
    if (last?.origin === origin) last.end = this.#text.length;
    else this.#spans.push({ start, end: this.#text.length, origin });
    return this;
  }
}

/** Replaces unpaired surrogates, which have no UTF-8 form, with U+FFFD. */
function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

export function rejected(field: FieldPath): UsageError {
  return new UsageError(
    'hostile-text',
    "this text holds a marker of the dialect; remove it, or use safety: 'escape'",
    field,
  );
}
