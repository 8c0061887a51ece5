// The tags of a dialect with tagged arguments, and the rules for its values.

import { type MarkerSet, matchLiteral, NO, NOT_YET } from '../../engine/markers.js';
import type { Mode, Reader } from '../../engine/reader.js';
import type { RepairCode } from '../../model/index.js';
import { spaceEnd } from '../../text/characters.js';
import type { EnvelopePlace } from '../json/json-envelope.js';
import type { NestedValue } from './nested-value.js';
import type { TaggedValue } from './tagged-value.js';

export type TagKind =
  | 'block-open'
  | 'block-close'
  | 'call-open'
  | 'call-close'
  | 'key-open'
  | 'key-close'
  | 'value-open'
  | 'value-close'
  | 'frame' // around a call or its name, without a meaning of its own
  | 'token'; // an end-of-turn or role token: no content anywhere

export interface Tag {
  kind: TagKind;
  length: number;
  /** The tool (`call-open`) or the key (`value-open`), where the tag carries it. */
  name?: string;
  /** The offset of the name in the tag, and its length as written. */
  nameAt?: number;
  nameLength?: number;
  /** The part that a closer must share with its opener. */
  prefix?: string;
  /** The type that an attribute of the tag declares. */
  attribute?: string | undefined;
  selfClosing?: boolean;
  repair?: RepairCode | undefined;
}

export interface TaggedSpelling {
  /** Matches the tag at a place, or gives NO or NOT_YET. `inside`: the key of the value around that place. */
  tag(text: string, at: number, ended: boolean, inside?: string): Tag | typeof NO | typeof NOT_YET;
  /** Matches tags that open a block or a call in plain text. Half of any other tag must not hold text back. */
  opener?(text: string, at: number, ended: boolean): Tag | typeof NO | typeof NOT_YET;
  /** The first characters of tags. Default `<`. */
  firsts?: string;
  /** The pairs of characters that may follow the first character of an opening tag, where they are known. */
  next?: readonly string[];
  /** The markers that are unescaped in keys and values. */
  markers: MarkerSet;
  /** Whether calls are in a block. A call outside of one counts if it is closed, and, with `if-declared`, declared. */
  block: boolean;
  bareCalls?: 'if-declared' | 'if-closed';
  /** The tool's name is text after the call's tag (glm), not in it. */
  nameInText?: boolean;
  /** One line break on each side of a value is layout: always, or (`read`) where one is before the value. */
  lineLayout?: 'written' | 'read';
  /** Each argument begins a line: a tag of one inside a line is text. */
  argumentLines?: boolean;
  /** Types come from an attribute of the tag (DSML), else from the schema. */
  typedByAttribute?: boolean;
  /** The vendor itself writes Python's True, False and None. */
  pythonWords?: boolean;
  /** Tags that show, when they follow another closer, that the value had ended at that closer. */
  endsLostValue: readonly TagKind[];
  /** Whether a value may be in `<![CDATA[…]]>`: `written` so by the vendor, or only `read`, as a repair. */
  cdata?: 'written' | 'read';
  /** Objects and lists are elements in elements; this is the element name of a list's items. */
  nested?: string;
  /** Makes the reader of nested elements. Passed in by dialects that have them, so that others need not load it. */
  nest?: (spelling: TaggedSpelling, leaf: TaggedValue, back: () => Mode) => NestedValue;
  /** The dialect itself also writes all arguments as one JSON object: no repair. */
  whole?: true;
  /** Reads one call as JSON, which a block may hold instead of tags. */
  jsonCall?: (reader: Reader, place: EnvelopePlace) => Mode;
  /** Keys of a parameter that may hold all arguments. */
  wrappers?: readonly string[];
}

export function beginsTag(firsts: string, text: string, at: number): boolean {
  return at < text.length && firsts.includes(text.charAt(at));
}

/**
 * Reads white space between tags; a written-out `\n` counts as a line break, as a repair. False: the text ends in a
 * backslash, which may be half of one.
 */
export function passLayout(reader: Reader): boolean {
  for (;;) {
    const end = spaceEnd(reader.text, reader.at);
    reader.markup(end - reader.at);
    if (reader.text.charAt(end) !== '\\') return true;
    if (end + 1 >= reader.text.length) return reader.ended;
    if (reader.text.charAt(end + 1) !== 'n') return true;
    reader.markup(2, 'literal-escape');
  }
}

export function skipLayout(text: string, from: number): number {
  let at = from;
  for (;;) {
    at = spaceEnd(text, at);
    if (!text.startsWith('\\n', at)) return at;
    at += 2;
  }
}

/** Tags of reasoning inside a call: skipped with a repair. */
export const STRAY_THINK = { '<think>': 'stray-think', '</think>': 'stray-think' } as const;

export function literalTags(kinds: Record<string, TagKind | 'stray-think'>): TaggedSpelling['tag'] {
  const tags = Object.entries(kinds).map(([text, kind]): [string, Tag] => {
    const { length } = text;
    return [text, kind === 'stray-think' ? { kind: 'token', length, repair: kind } : { kind, length }];
  });
  const thirds = tags.map(([text]) => text.charAt(2)).join('');
  return (text, at, ended) => {
    // The third character rules out most tags of others at once.
    if (at + 2 < text.length && !thirds.includes(text.charAt(at + 2))) return NO;
    let undecided = false;
    for (const [literal, tag] of tags) {
      const found = matchLiteral(text, at, literal, ended);
      if (found > 0) return tag;
      if (found === NOT_YET) undecided = true;
    }
    return undecided ? NOT_YET : NO;
  };
}
