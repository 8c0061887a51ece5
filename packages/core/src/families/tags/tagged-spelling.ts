// What a dialect with tagged arguments says of itself: its tags, and the rules its values follow.

import type { MarkerSet, NO, NOT_YET } from '../../engine/markers.js';
import type { Mode, Reader } from '../../engine/reader.js';
import type { RepairCode } from '../../model/index.js';
import { isSpace } from '../../text/characters.js';
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
  /** `call-open`: the tool, `value-open`: the key, where the tag carries it. */
  name?: string;
  /** Where in the tag the name begins, and how long it is as written. */
  nameAt?: number;
  nameLength?: number;
  /** What a closer must share with its opener to be its own. */
  prefix?: string;
  /** A type the tag itself declares. */
  attribute?: string | undefined;
  selfClosing?: boolean;
  repair?: RepairCode | undefined;
}

export interface TaggedSpelling {
  /** The tag at a place, or NO, or NOT_YET. `inside`: the key of the value that stands there. */
  tag(text: string, at: number, ended: boolean, inside?: string): Tag | typeof NO | typeof NOT_YET;
  /** The same for tags that open a block or a call in plain text, where half of any other must not hold text back. */
  opener?(text: string, at: number, ended: boolean): Tag | typeof NO | typeof NOT_YET;
  /** What tags begin with. Default `<`. */
  firsts?: string;
  /** The two characters that may stand behind the first of an opening tag, if that can be said. */
  next?: readonly string[];
  /** Text in keys and values is unescaped by this set. */
  markers: MarkerSet;
  /** Calls stand in a block; a call outside one counts if it is closed, and if declared where asked. */
  block: boolean;
  bareCalls?: 'if-declared' | 'if-closed';
  /** The tool's name is text behind the call's tag (glm), not in it. */
  nameInText?: boolean;
  /** One line break on each side of a value is layout. */
  lineLayout?: boolean;
  /** Types come from an attribute of the tag (DSML), else from the schema. */
  typedByAttribute?: boolean;
  /** The vendor itself writes Python's True, False and None. */
  pythonWords?: boolean;
  /** Tags that show, behind another closer, that the value had ended there. */
  endsLostValue: readonly TagKind[];
  /** A value may stand in `<![CDATA[…]]>`: `written` so by the vendor, or only `read`, as a repair. */
  cdata?: 'written' | 'read';
  /** Objects and lists are elements in elements; this is what an element of a list is called. */
  nested?: string;
  /** Makes the reader of such elements. Given by who declares them, so that others need not load it. */
  nest?: (spelling: TaggedSpelling, leaf: TaggedValue, back: () => Mode) => NestedValue;
  /** The dialect also writes all arguments as one whole JSON object: no repair. */
  whole?: true;
  /** A block may hold one call as JSON instead. */
  jsonCall?: (reader: Reader, place: EnvelopePlace) => Mode;
  /** Keys under which one parameter may hold all arguments. */
  wrappers?: readonly string[];
}

export function beginsTag(firsts: string, text: string, at: number): boolean {
  return at < text.length && firsts.includes(text.charAt(at));
}

/**
 * White space between tags; a written-out `\n` counts as a line break, as a repair. False: the text ends in a
 * backslash, which may be half of one.
 */
export function passLayout(reader: Reader): boolean {
  for (;;) {
    let end = reader.at;
    while (end < reader.text.length && isSpace(reader.text.charCodeAt(end))) end++;
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
    while (at < text.length && isSpace(text.charCodeAt(at))) at++;
    if (!text.startsWith('\\n', at)) return at;
    at += 2;
  }
}
