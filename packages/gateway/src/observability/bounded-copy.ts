// Copies any value as plain JSON of bounded size: a note replaces each part that does not fit.

import { ExactNumber, type JsonObject, type JsonValue } from '@dragoman/core';
import { setMember } from '@dragoman/core/internal';

const MAX_DEPTH = 64;

export interface BoundedCopy {
  value: JsonValue;
  /** Characters, roughly, that the copy takes. */
  size: number;
  /** Something was left out. */
  cut: boolean;
}

export function boundedCopy(value: unknown, maxSize: number): BoundedCopy {
  const copier = new Copier(maxSize);
  const copy = copier.copy(value, 0) ?? null;
  return { value: copy, size: maxSize - copier.left, cut: copier.cut };
}

/** The text, or its beginning and how much more there was. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const kept = wholeLength(text, maxLength);
  return `${text.slice(0, kept)}… [${text.length - kept} characters more]`;
}

/** No pair of surrogates is torn apart. */
export function wholeLength(text: string, length: number): number {
  const code = text.charCodeAt(length - 1);
  return Math.max(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length);
}

class Copier {
  cut = false;

  constructor(public left: number) {}

  copy(value: unknown, depth: number): JsonValue | undefined {
    this.left -= 4;
    if (typeof value === 'string') return this.#text(value);
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
    if (typeof value === 'boolean' || value === null) return value;
    if (typeof value === 'bigint') return String(value);
    if (value instanceof ExactNumber) return value.text;
    return typeof value === 'object' ? this.#object(value, depth) : undefined;
  }

  #object(value: object, depth: number): JsonValue {
    if (depth >= MAX_DEPTH) return this.#note('[deeper]');
    if (ArrayBuffer.isView(value)) return this.#note(`[${value.byteLength} bytes]`);
    if (value instanceof Error) return this.#error(value, depth);
    if (Array.isArray(value)) return this.#list(value, depth);
    return this.#members(value instanceof Map ? [...value] : Object.entries(value), depth);
  }

  #text(text: string): string {
    if (text.length > this.left) this.cut = true;
    const copy = cutText(text, Math.max(0, this.left));
    this.left -= copy.length;
    return copy;
  }

  #list(list: readonly unknown[], depth: number): JsonValue {
    const copy: JsonValue[] = [];
    for (const item of list) {
      if (this.left <= 0) {
        copy.push(this.#note(`[${list.length - copy.length} more]`));
        break;
      }
      copy.push(this.copy(item, depth + 1) ?? null);
    }
    return copy;
  }

  #members(entries: readonly (readonly [unknown, unknown])[], depth: number): JsonValue {
    const copy: JsonObject = {};
    let at = 0;
    for (const [key, member] of entries) {
      if (this.left <= 0) {
        copy['…'] = this.#note(`[${entries.length - at} more]`);
        break;
      }
      at++;
      const copied = member === undefined ? undefined : this.copy(member, depth + 1);
      if (copied !== undefined) setMember(copy, this.#text(String(key)), copied);
    }
    return copy;
  }

  #error(error: Error, depth: number): JsonValue {
    const { code } = error as { code?: unknown };
    return this.#members(Object.entries({ name: error.name, code, message: error.message }), depth);
  }

  #note(note: string): string {
    this.cut = true;
    this.left -= note.length;
    return note;
  }
}
