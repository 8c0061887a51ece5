// Reads the tags of XTML:
//
//   <|open|>argument key="city" type="string"<|sep|>     <|close|>argument<|sep|>
//           ^ element ^ attributes                               ^ element

import type { VoiceFrame } from '../../engine/dialect.js';
import { type Match, matchFirst, matchLiteral, NO, NOT_YET } from '../../engine/markers.js';
import type { Tag, TagKind } from '../../families/tags/tagged-spelling.js';

const OPEN = '<|open|>';
const CLOSE = '<|close|>';
const SEP = '<|sep|>';
const END = '<|end_of_msg|>';

/** A tag must end within this many characters. */
const TAG_LIMIT = 1024;

interface Element {
  open: TagKind;
  close: TagKind;
  /** The attribute that names the tool or the key. */
  named?: string;
}

const ELEMENTS = new Map<string, Element>([
  ['tools', { open: 'block-open', close: 'block-close' }],
  ['call', { open: 'call-open', close: 'call-close', named: 'tool' }],
  ['argument', { open: 'value-open', close: 'value-close', named: 'key' }],
  ['json', { open: 'frame', close: 'frame' }],
  ['think', { open: 'token', close: 'token' }],
  ['response', { open: 'token', close: 'token' }],
  ['message', { open: 'token', close: 'token' }],
]);

export function xtmlTag(text: string, at: number, ended: boolean): Tag | typeof NO | typeof NOT_YET {
  const end = matchLiteral(text, at, END, ended);
  if (end > 0) return { kind: 'token', length: end };
  const open = matchLiteral(text, at, OPEN, ended);
  const close = open > 0 ? NO : matchLiteral(text, at, CLOSE, ended);
  if (open <= 0 && close <= 0) return [end, open, close].includes(NOT_YET) ? NOT_YET : NO;
  const from = at + Math.max(open, close);
  const sep = text.slice(from, from + TAG_LIMIT).indexOf(SEP);
  if (sep < 0) return !ended && text.length - from < TAG_LIMIT && canBegin(text, from) ? NOT_YET : NO;
  return toTag(text.slice(from, from + sep), from - at, open > 0);
}

const CUT_ELEMENTS = ['think', 'response', 'message'];

/** Matches a tag without its <|sep|>, or with half of it: at the end of the text, or before the next tag. */
function matchCut(token: string, text: string, at: number, ended: boolean): Match {
  const found = matchLiteral(text, at, token, ended);
  if (found <= 0) return found;
  const from = at + found;
  const head = /^[a-z]*/.exec(text.slice(from, from + 16))?.[0] ?? '';
  const end = from + head.length;
  const known = head === '' || [...ELEMENTS.keys()].some((name) => name.startsWith(head));
  const isCut = end >= text.length ? known : ELEMENTS.has(head) && isHalfSep(text, end);
  if (isCut) return ended ? text.length - at : NOT_YET;
  const next = CUT_ELEMENTS.includes(head) ? matchFirst(text, end, [OPEN, CLOSE], ended) : NO;
  return next > 0 ? end - at : next;
}

/** Whether the text ends inside of <|sep|>, which begins at this place. */
function isHalfSep(text: string, at: number): boolean {
  return text.length - at < SEP.length && SEP.startsWith(text.slice(at));
}

/** Frames for tags that lost their end. A closer ends text and reasoning; `<|open|>` opens text, as `response` does. */
export const xtmlCutFrames: VoiceFrame[] = [OPEN, CLOSE].map((token) => ({
  firsts: '<',
  next: [token.slice(1, 3)],
  match: (text, at, ended) => matchCut(token, text, at, ended),
  opens: token === OPEN ? 'text' : 'nothing',
}));

/** Whether the text may still become the name of an element. */
function canBegin(text: string, from: number): boolean {
  const head = /^[a-z]*/.exec(text.slice(from, from + 16))?.[0] ?? '';
  if (from + head.length < text.length) return ELEMENTS.has(head);
  return [...ELEMENTS.keys()].some((name) => name.startsWith(head));
}

/** Makes a tag of the text between the marker, which has `lead` characters, and <|sep|>. */
function toTag(inside: string, lead: number, opens: boolean): Tag | typeof NO {
  const name = /^[a-z]+/.exec(inside)?.[0] ?? '';
  const element = ELEMENTS.get(name);
  if (!element) return NO;
  const length = lead + inside.length + SEP.length;
  if (!opens) return inside === name ? { kind: element.close, length, prefix: '' } : NO;
  const attributes = attributesOf(inside, name.length);
  if (!attributes) return NO;
  if (!element.named) return { kind: element.open, length, prefix: '' };
  const named = attributes.get(element.named);
  if (!named || named.value === '') return NO;
  const type = attributes.get('type')?.value;
  return {
    kind: element.open,
    length,
    prefix: '',
    name: unescapeAttribute(named.value),
    nameAt: lead + named.at,
    nameLength: named.value.length,
    ...(type !== undefined && { attribute: String(type === 'string') }),
  };
}

interface Attribute {
  value: string;
  at: number;
}

/** Reads ` key="value"` pairs to the end. A value contains no quote: quotes are entities. */
function attributesOf(text: string, from: number): Map<string, Attribute> | undefined {
  const found = new Map<string, Attribute>();
  let at = from;
  while (text.slice(at).trim() !== '') {
    const equals = text.indexOf('="', at);
    const end = equals < 0 ? -1 : text.indexOf('"', equals + 2);
    const name = text.slice(at, Math.max(at, equals)).trim();
    if (end < 0 || !/^[a-z_]+$/.test(name)) return undefined;
    found.set(name, { value: text.slice(equals + 2, end), at: equals + 2 });
    at = end + 1;
  }
  return found;
}

export function escapeAttribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

export function unescapeAttribute(value: string): string {
  return value.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
