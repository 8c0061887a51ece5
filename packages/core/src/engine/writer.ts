// Writing a prompt: every character is either ours (markup) or from outside (content), and content goes
// through the dialect's neutraliser. The spans say which is which.

import type { ExactValue, JsonValue } from '../model/index.js';
import { stringifyJson, UsageError } from '../model/index.js';
import type { Safety } from './dialect.js';
import { escapeMarkers, hasMarker, type MarkerSet, neutralise, neutraliseEnd } from './markers.js';

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
  /** Text from outside that is not written yet: what follows may belong to the same marker. */
  #pending: { text: string; field: FieldPath; markers: MarkerSet } | undefined;

  constructor(
    readonly markers: MarkerSet,
    readonly safety: Safety = 'escape',
    /** Fields whose text is ours, although it stands where text from outside stands. */
    readonly trusted: ReadonlySet<FieldPath> = NOTHING,
  ) {}

  get text(): string {
    return this.#settle().#text;
  }

  get spans(): Span[] {
    return this.#settle().#spans;
  }

  /** Our own markup, as it is. */
  ours(text: string): this {
    return text === '' ? this : this.#settle(text).#push(text, 'ours');
  }

  /**
   * Text from outside. Pieces that follow each other are neutralised as one: two halves of a marker are harmless
   * only if they are seen at once.
   */
  outside(text: string, field: FieldPath, markers: MarkerSet = this.markers): this {
    if (this.trusted.has(field)) return this.ours(text);
    if (this.#pending?.markers === markers) this.#pending.text += text;
    else this.#settle().#pending = { text, field, markers };
    return this;
  }

  /** Text that an assistant said: as `outside`, and what would begin a call without a marker is broken, too. */
  answer(text: string, field: FieldPath): this {
    return this.outside(text, field, this.markers.said);
  }

  /** A value from outside as JSON in Python's spelling; `<` and the like become `\u003c` where a marker stands. */
  json(value: ExactValue | JsonValue, field: FieldPath): this {
    return this.jsonText(stringifyJson(value, 'python'), field);
  }

  /** JSON text from outside. Losslessly escaped where it holds a marker. */
  jsonText(json: string, field: FieldPath, markers: MarkerSet = this.markers): this {
    const whole = wellFormed(json);
    this.#settle();
    if (this.safety === 'exact' || !hasMarker(whole, markers)) return this.#push(whole, 'outside');
    if (this.safety === 'reject') throw rejected(field);
    return this.#push(escapeMarkers(whole, markers), 'outside');
  }

  /** Writes what is pending, before our own text that comes next. */
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

/** Unpaired surrogates have no UTF-8 form: they become U+FFFD, the same each time. */
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
