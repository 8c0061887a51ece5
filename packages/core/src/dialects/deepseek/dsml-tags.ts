// Reads the tags of DSML, in all the spellings that were seen:
//
//   <｜DSML｜tool_calls>  <|DSML|tool_calls>  <｜｜DSML｜｜ calls>  <dsml|invoke name="f">  <invoke name="f"/>
//    ^ prefix  ^ name                                                ^ attributes           ^ no prefix
//
// Prefix: bars (｜ | ‖, one or two, or none), the letters DSML in either case, bars, spaces around them.

import { NO, NOT_YET, type TailMatcher } from '../../engine/markers.js';
import type { Tag, TagKind } from '../../families/tags/tagged-spelling.js';
import { spaceEnd } from '../../text/characters.js';
import { type Attributes, readAttributes, type Scan } from '../../text/tags.js';

const BARS = '｜|‖';
const BARS_AND_SPACE = new Set([...BARS, ' '].map((character) => character.charCodeAt(0)));
const WRAPPERS = ['tool_calls', 'function_calls', '_tool_calls', 'toolcalls', 'tool_use', 'calls'];
/** Wrapper names that no version writes. */
const MISSPELT = ['_tool_calls', 'toolcalls', 'tool_use'];
const NAMES = [...WRAPPERS, 'invoke', 'parameter'];
/** The names by their first letter, longest first, so that none is matched as something shorter. */
const NAMES_BY_INITIAL = new Map(
  NAMES.map((name) => [
    name.charAt(0),
    NAMES.filter((other) => other.charAt(0) === name.charAt(0)).sort((a, b) => b.length - a.length),
  ]),
);

const USUAL_PREFIX = '｜DSML｜';
/** The spellings of the vendor: V3.2 and V4, and V4.1 with a space. Any other is a repair. */
const CANONICAL = new Map([
  [USUAL_PREFIX, ['tool_calls', 'function_calls', 'invoke', 'parameter']],
  [`${USUAL_PREFIX} `, ['calls', 'invoke', 'parameter']],
]);

/** How much white space may come before the end of a tag. */
const SPACE_LIMIT = 256;

interface Head {
  close: boolean;
  doubled: boolean;
  prefix: string;
  name: string;
  at: number;
}

const INITIALS = NAMES.map((name) => name.charAt(0)).join('');

/** The pairs that may follow `<` in an opening tag: two characters rule out most `<` of code and HTML. */
export const DSML_NEXT: readonly string[] = [
  ...pairs('｜|‖ <', '｜|‖ Dd'),
  ...pairs('<', INITIALS),
  ...pairs('Dd', 'Ss'),
  ...NAMES.map((name) => name.slice(0, 2)),
];
/** The characters that may follow `<` in any tag, closers included. */
const SECONDS = new Set([...DSML_NEXT.map((pair) => pair.charAt(0)), '/']);

function pairs(seconds: string, thirds: string): string[] {
  return [...seconds].flatMap((second) => [...thirds].map((third) => second + third));
}

export function dsmlTag(text: string, at: number, ended: boolean): Scan<Tag> {
  if (at + 1 < text.length && !SECONDS.has(text.charAt(at + 1))) return NO;
  const head = readHead(text, at, ended);
  if (head === NO || head === NOT_YET) return head;
  const rest = readAttributes(text, head.at, ended);
  if (rest === NO || rest === NOT_YET) return rest;
  return finish(text, at, head, rest, ended);
}

function readHead(text: string, from: number, ended: boolean): Scan<Head> {
  let at = from + 1;
  const doubled = text.charAt(at) === '<';
  if (doubled) at++;
  const close = text.charAt(at) === '/';
  if (close) at++;
  const prefixEnd = readPrefix(text, at, ended);
  if (prefixEnd === NOT_YET) return NOT_YET;
  const nameAt = prefixEnd === NO ? at : prefixEnd;
  const name = readName(text, nameAt, ended);
  if (name === NO || name === NOT_YET) return name;
  const prefix = prefixEnd === NO ? '' : text.slice(at, prefixEnd);
  // If a value ends in `<`, the second `<` belongs to its closer.
  if (doubled && (close || name === 'parameter')) return NO;
  // Without a prefix only unmistakable names count.
  if (prefix === '' && (doubled || name === 'calls' || MISSPELT.includes(name))) return NO;
  const end = nameAt + name.length;
  if (end >= text.length) return ended ? NO : NOT_YET;
  return ' \t\r\n>/'.includes(text.charAt(end)) || BARS.includes(text.charAt(end))
    ? { close, doubled, prefix, name, at: end }
    : NO;
}

/** Gives where the prefix ends; NO if there is none. */
function readPrefix(text: string, from: number, ended: boolean): number {
  const usualEnd = from + USUAL_PREFIX.length;
  if (text.startsWith(USUAL_PREFIX, from) && usualEnd < text.length && !isBarOrSpace(text, usualEnd))
    return usualEnd;
  const letters = skipBars(text, from);
  if (letters > from + 6) return NO;
  const found = matchWord(text, letters, 'dsml', ended);
  if (found !== 1) return found;
  const end = skipBars(text, letters + 4);
  if (end >= text.length) return ended ? NO : NOT_YET;
  return end > letters + 10 || end === letters + 4 ? NO : end;
}

function skipBars(text: string, from: number): number {
  let at = from;
  while (at < text.length && at - from < 8 && isBarOrSpace(text, at)) at++;
  return at;
}

/** By its code: a character beyond Latin-1 would be a string made anew. */
const isBarOrSpace = (text: string, at: number) => BARS_AND_SPACE.has(text.charCodeAt(at));

/** Gives 1 if the word is at this place, in either case. */
function matchWord(text: string, at: number, word: string, ended: boolean): number {
  for (let n = 0; n < word.length; n++) {
    if (at + n >= text.length) return ended ? NO : NOT_YET;
    // The bit in which small letters differ from capitals.
    if ((text.charCodeAt(at + n) | 0x20) !== word.charCodeAt(n)) return NO;
  }
  return 1;
}

function readName(text: string, at: number, ended: boolean): Scan<string> {
  if (at >= text.length) return ended ? NO : NOT_YET;
  const names = NAMES_BY_INITIAL.get(text.charAt(at)) ?? [];
  for (const name of names) if (text.startsWith(name, at)) return name;
  if (ended || text.length - at >= 16) return NO;
  const rest = text.slice(at);
  return names.some((name) => name.startsWith(rest)) ? NOT_YET : NO;
}

/** Reads the end of a tag after its attributes: `>`, `/>`, or a bar before them. */
function finish(
  text: string,
  start: number,
  head: Head,
  { attributes, at: from }: Attributes,
  ended: boolean,
): Scan<Tag> {
  let at = from;
  while (at < text.length && BARS.includes(text.charAt(at)) && at - from < 2) at++;
  const bar = at > from;
  at = spaceEnd(text, at);
  if (at - from > SPACE_LIMIT) return NO;
  const selfClosing = text.charAt(at) === '/';
  if (selfClosing) at++;
  if (at >= text.length) return ended ? NO : NOT_YET;
  if (text.charAt(at) !== '>') return NO;
  const { close, doubled } = head;
  const kind = kindOf(head);
  const name = attributes.find((attribute) => attribute.name === 'name');
  if (!close && kind !== 'block-open' && !name) return NO;
  if (kind === 'call-open' && name?.value === '') return NO;
  const usual = CANONICAL.get(head.prefix)?.includes(head.name) && !bar && !doubled;
  const repair = usual ? undefined : 'other-spelling';
  const length = at + 1 - start;
  // A block has several names, which its closer shares.
  const prefix = kind.startsWith('block') ? head.prefix + head.name : head.prefix;
  if (!name || close) return { kind, length, prefix, repair, selfClosing };
  return {
    kind,
    length,
    prefix,
    repair,
    selfClosing,
    name: name.value,
    nameAt: name.start - start,
    nameLength: name.end - name.start,
    attribute: attributes.find((candidate) => candidate.name === 'string')?.value,
  };
}

function kindOf({ name, close }: Head): TagKind {
  if (name === 'invoke') return close ? 'call-close' : 'call-open';
  if (name === 'parameter') return close ? 'value-close' : 'value-open';
  return close ? 'block-close' : 'block-open';
}

/**
 * Matches anything that begins like a DSML tag, complete or not, in text on its way into a prompt. It is broken there,
 * so that no spelling, known or unknown, can act as a tag.
 */
export const dsmlTail: TailMatcher = (text, at, ended) => {
  const here = text.charAt(at) === '/' ? at + 1 : at;
  // Matched as if more text came: text written after it may complete a prefix at the very end.
  const end = readPrefix(text, here, false);
  if (end === NOT_YET && !ended) return NOT_YET;
  if (end === NOT_YET && /dsml[ ｜|‖]+$/i.test(text.slice(here))) return text.length - at;
  if (end > 0) return end - at;
  const name = readName(text, here, ended);
  if (name === NO || name === NOT_YET) return name;
  const next = text.charAt(here + name.length);
  if (next === '') return ended ? NO : NOT_YET;
  return next === '>' || next === ' ' || next === '/' || next === '\n' ? here + name.length - at : NO;
};
