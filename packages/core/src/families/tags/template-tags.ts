// Makes tag matchers from the templates of a declaration.
//
//   <tool_call>             literal         one spelling
//   <function={name}>       slot            the name ends where the rest of the template begins
//   <invoke name="{name}">  attribute       in any quotes and white space, alone or among other attributes
//   <tool_call>{name}       text            the name is text after the tag: see TaggedSpelling.nameInText

import { matchLiteral, NO, NOT_YET } from '../../engine/markers.js';
import { readAttributes } from '../../text/tags.js';
import type { Tag, TagKind } from './tagged-spelling.js';

export interface TagTemplate {
  kind: TagKind;
  template: string;
  repair?: Tag['repair'];
  /** Whether its closer names the element, and must name the open one. */
  owned?: boolean;
}

type Found = Tag | typeof NO | typeof NOT_YET;
type TagMatcher = (text: string, at: number, ended: boolean) => Found;

const NAME_LIMIT = 512;
const SLOT = /\{(?:name|key)\}/;

/** Splits a template at the name: the text before and after it; `behind` is undefined if there is no name. */
export function splitTemplate(template: string): [before: string, behind: string | undefined] {
  const [before = '', behind] = template.split(SLOT);
  return [before, behind];
}

/** Whether the name is text after a complete tag: `<tool_call>{name}`. */
export function isNameInText(template: string): boolean {
  const [before, behind] = splitTemplate(template);
  return behind !== undefined && /[>\])}]$/.test(before);
}

/** Gives the beginning that all spellings of a tag share. It is broken in text from outside. */
export function templateHead(template: string): string {
  const [before, behind] = splitTemplate(template);
  if (behind === undefined || isNameInText(template)) return before;
  return attributeOf(before, behind)?.element ?? before;
}

/** Matches the tag of these templates at a place. Earlier templates win: while one is undecided, later ones wait. */
export function templateTags(templates: readonly TagTemplate[]): TagMatcher {
  const byPair = new Map<string, TagMatcher[]>();
  for (const tag of templates) {
    const pair = templateHead(tag.template).slice(0, 2);
    byPair.set(pair, [...(byPair.get(pair) ?? []), toMatcher(tag)]);
  }
  const firsts = new Set(templates.map(({ template }) => template.charAt(0)));
  return (text, at, ended) => {
    if (at + 1 >= text.length) return !ended && firsts.has(text.charAt(at)) ? NOT_YET : NO;
    for (const matcher of byPair.get(text.slice(at, at + 2)) ?? NONE) {
      const found = matcher(text, at, ended);
      if (found !== NO) return found;
    }
    return NO;
  };
}

const NONE: readonly TagMatcher[] = [];

function toMatcher(tag: TagTemplate): TagMatcher {
  const [before, behind] = splitTemplate(tag.template);
  if (behind === undefined || isNameInText(tag.template)) return literal(tag, before);
  const attribute = attributeOf(before, behind);
  return attribute ? inAttribute(tag, attribute) : inSlot(tag, before, behind);
}

function literal({ kind, repair }: TagTemplate, marker: string): TagMatcher {
  const tag: Tag = { kind, length: marker.length, repair };
  return (text, at, ended) => {
    const found = matchLiteral(text, at, marker, ended);
    return found > 0 ? tag : found === NOT_YET ? NOT_YET : NO;
  };
}

// --- <function={name}> ---------------------------------------------------------------------------------

function inSlot({ kind, repair, owned }: TagTemplate, head: string, tail: string): TagMatcher {
  return (text, at, ended) => {
    const found = matchLiteral(text, at, head, ended);
    if (found <= 0) return found === NOT_YET ? NOT_YET : NO;
    const start = at + head.length;
    const end = endOfName(text, start, tail.charAt(0));
    if (end >= text.length) return ended || end - start > NAME_LIMIT ? NO : NOT_YET;
    if (end === start || text.charAt(end) !== tail.charAt(0)) return NO;
    const closed = matchLiteral(text, end, tail, ended);
    if (closed <= 0) return closed === NOT_YET ? NOT_YET : NO;
    const name = text.slice(start, end);
    if (head.endsWith('<') && name.startsWith('/')) return NO;
    const tag: Tag = { kind, length: end + closed - at, name, nameAt: head.length, nameLength: name.length };
    return { ...tag, repair, ...(owned && { prefix: name }) };
  };
}

function endOfName(text: string, start: number, stop: string): number {
  let end = start;
  while (end < text.length && end - start <= NAME_LIMIT) {
    const char = text.charAt(end);
    if (char === stop || char === '\n') break;
    end++;
  }
  return end;
}

// --- <invoke name="{name}"> ----------------------------------------------------------------------------

interface AttributeTag {
  element: string;
  attribute: string;
  written: string;
}

function attributeOf(before: string, behind: string): AttributeTag | undefined {
  const space = before.lastIndexOf(' ');
  if (space < 1 || !before.endsWith('="') || behind !== '">') return undefined;
  return { element: before.slice(0, space), attribute: before.slice(space + 1, -2), written: before };
}

function inAttribute({ kind, repair }: TagTemplate, of: AttributeTag): TagMatcher {
  const { element, attribute, written } = of;
  return (text, at, ended) => {
    const head = matchLiteral(text, at, element, ended);
    if (head <= 0) return head === NOT_YET ? NOT_YET : NO;
    const from = at + head;
    if (from >= text.length) return ended ? NO : NOT_YET;
    if (!' \t\r\n'.includes(text.charAt(from))) return NO;
    const rest = readAttributes(text, from, ended);
    if (rest === NO || rest === NOT_YET) return rest;
    const end = endOfTag(text, rest.at, ended);
    if (end === NO || end === NOT_YET) return end;
    const name = rest.attributes.find((candidate) => candidate.name === attribute);
    if (!name || name.value === '') return NO;
    const length = end - at;
    const usual = text.startsWith(written, at) && name.end + 2 === end && name.start === at + written.length;
    return {
      kind,
      length,
      name: name.value,
      nameAt: name.start - at,
      nameLength: name.end - name.start,
      selfClosing: text.charAt(end - 2) === '/',
      repair: usual ? repair : 'other-spelling',
    };
  };
}

/** Gives the offset after `>` or `/>`. */
function endOfTag(text: string, from: number, ended: boolean): number {
  const at = text.charAt(from) === '/' ? from + 1 : from;
  if (at >= text.length) return ended ? NO : NOT_YET;
  return text.charAt(at) === '>' ? at + 1 : NO;
}
