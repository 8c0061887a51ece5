// TypeScript types as a prompt shows them, read back into JSON Schema:
//
//   { location: string; /** How far ahead (integer, minimum: 1) */ days?: number; unit?: "c" | "f" }
//
// Comments are descriptions; the constraints at their end are read, too. What cannot be read says nothing.

import type { JsonObject, JsonValue } from '@dragoman/core';
import { setMember } from '@dragoman/core/internal';
import { readJson, stringEnd } from './json-values.js';
import { readNotes, speaksOfLists } from './type-notes.js';

/** Deeper types say nothing. */
const MAX_DEPTH = 64;

export class TypeReader {
  constructor(
    readonly text: string,
    public at = 0,
  ) {}

  /** The type that begins here: unions of intersections of parts. */
  type(depth = 0): JsonObject {
    const choices = this.#separated('|', () => this.#all(depth));
    return choices.length === 1 ? (choices[0] as JsonObject) : union(choices);
  }

  /** Takes these characters if they are what comes next. */
  take(token: string): boolean {
    this.space();
    if (!this.text.startsWith(token, this.at)) return false;
    this.at += token.length;
    return true;
  }

  /** The last of the comments that stand here. */
  comment(): string | undefined {
    return this.#comments().at(-1);
  }

  /** An identifier or a string, or nothing. */
  name(): string | undefined {
    this.space();
    if (this.text.charAt(this.at) === '"') return this.#string();
    const start = this.at;
    while (this.at < this.text.length && isNameCharacter(this.text.charCodeAt(this.at))) this.at++;
    return this.at > start ? this.text.slice(start, this.at) : undefined;
  }

  space(): void {
    while (this.at < this.text.length && ' \n\r\t'.includes(this.text.charAt(this.at))) this.at++;
  }

  #all(depth: number): JsonObject {
    const parts = this.#separated('&', () => this.#listed(depth));
    return parts.length === 1 ? (parts[0] as JsonObject) : { allOf: parts };
  }

  #separated(operator: string, read: () => JsonObject): JsonObject[] {
    const parts = [read()];
    while (this.take(operator)) parts.push(read());
    return parts;
  }

  /**
   * A part, and whether it is a list of such parts. The comments in front are about the part, the innermost last;
   * what they say of lists is about the first list.
   */
  #listed(depth: number): JsonObject {
    const comments = this.#comments();
    let part = depth > MAX_DEPTH ? this.#skip() : this.#part(depth + 1);
    for (const notes of comments.toReversed()) {
      if (speaksOfLists(notes) && part.type !== 'array' && this.take('[]')) part = listOf(part);
      part = { ...part, ...readNotes(notes, part) };
    }
    while (this.take('[]')) part = listOf(part);
    return part;
  }

  /** Comments without their stars. */
  #comments(): string[] {
    const said: string[] = [];
    for (this.space(); this.text.startsWith('/*', this.at); this.space()) {
      const end = this.text.indexOf('*/', this.at + 2);
      const until = end < 0 ? this.text.length : end;
      said.push(withoutStars(this.text.slice(this.at + 2, until)));
      this.at = Math.min(until + 2, this.text.length);
    }
    return said;
  }

  #part(depth: number): JsonObject {
    if (this.take('{')) return this.#members(depth);
    if (this.take('(')) return this.#until(')', () => this.type(depth));
    if (this.take('[')) return this.#tuple(depth);
    const character = this.text.charAt(this.at);
    if (character === '"') return { const: this.#string() };
    if (character === '-' || (character >= '0' && character <= '9')) return { const: this.#number() };
    return this.#named(this.name() ?? '', depth);
  }

  #named(name: string, depth: number): JsonObject {
    if (name === 'Array' && this.take('<')) {
      return { type: 'array', items: this.#until('>', () => this.type(depth)) };
    }
    if (name === 'Record' && this.take('<')) {
      this.take('string');
      this.take(',');
      return { type: 'object', additionalProperties: this.#until('>', () => this.type(depth)) };
    }
    if (name === 'true' || name === 'false') return { const: name === 'true' };
    if (['string', 'number', 'boolean', 'null'].includes(name)) return { type: name };
    if (name === 'never' || name === 'unknown' || name === '') return name === '' ? this.#skip() : {};
    return { $ref: `#/$defs/${name}` };
  }

  #members(depth: number): JsonObject {
    const properties: JsonObject = {};
    const required: string[] = [];
    const schema: JsonObject = { type: 'object', properties, required };
    while (!this.take('}') && this.at < this.text.length) {
      const start = this.at;
      const notes = this.comment();
      if (this.take('[')) schema.additionalProperties = this.#index(depth);
      else this.#member(properties, required, notes, depth);
      this.take(';');
      if (this.at === start) this.at++;
    }
    return schema;
  }

  #member(properties: JsonObject, required: string[], notes: string | undefined, depth: number): void {
    const key = this.name();
    if (key === undefined) return;
    if (!this.take('?')) required.push(key);
    this.take(':');
    const type = this.type(depth);
    setMember(properties, key, notes === undefined ? type : { ...type, ...readNotes(notes, type) });
  }

  /** [ | key: string]: type */
  #index(depth: number): JsonObject {
    this.name();
    this.take(':');
    this.name();
    this.take(']');
    this.take(':');
    return this.type(depth);
  }

  #tuple(depth: number): JsonObject {
    const prefixItems: JsonValue[] = [];
    let rest: JsonObject | undefined;
    while (!this.take(']') && this.at < this.text.length) {
      const start = this.at;
      if (this.take('...')) rest = this.type(depth);
      else prefixItems.push(this.type(depth));
      this.take(',');
      if (this.at === start) this.at++;
    }
    return { type: 'array', prefixItems, ...(rest?.items !== undefined && { items: rest.items }) };
  }

  #until(close: string, read: () => JsonObject): JsonObject {
    const type = read();
    this.take(close);
    return type;
  }

  #skip(): JsonObject {
    this.at++;
    return {};
  }

  #string(): string {
    const end = stringEnd(this.text, this.at);
    const value = readJson(this.text.slice(this.at, end));
    this.at = end;
    return typeof value === 'string' ? value : '';
  }

  #number(): number {
    const start = this.at;
    while (this.at < this.text.length && '+-.0123456789eE'.includes(this.text.charAt(this.at))) this.at++;
    return Number(this.text.slice(start, this.at)) || 0;
  }
}

function listOf(items: JsonObject): JsonObject {
  return { type: 'array', ...(Object.keys(items).length > 0 && { items }) };
}

/** Literals alone are an enum; `null` beside one type makes it nullable. */
function union(choices: readonly JsonObject[]): JsonObject {
  const literals = choices.every((choice) => Object.hasOwn(choice, 'const') || choice.type === 'null');
  if (literals)
    return { enum: choices.map((choice) => (choice.type === 'null' ? null : (choice.const as JsonValue))) };
  return { anyOf: [...choices] };
}

function withoutStars(comment: string): string {
  return comment
    .split('\n')
    .map((line) => {
      const text = line.trim();
      return text.startsWith('*') ? text.slice(1).trim() : text;
    })
    .join('\n')
    .trim()
    .replaceAll('*\\/', '*/');
}

function isNameCharacter(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 95 ||
    code === 36
  );
}
