// Reads calls whose tags are the tools' own names: only a declared tool opens one.
//
//   text <read_file> <path> src/app.ts </path> </read_file>
//        ^ call      ^ value                   ^ call closer
//
// So the markers depend on the tools. In the text of an assistant, any tag that could begin a call is broken; in
// values, the closers of the tool and of its keys. All other text is left alone: most of it is code, and full of tags.

import type { TaggedCalls } from '../../engine/declaration.js';
import type { Opener } from '../../engine/dialect.js';
import { defineMarkers, type MarkerSet, NO, NOT_YET, standsAt } from '../../engine/markers.js';
import { taggedOpeners } from '../../families/tags/tagged.js';
import type { CallRules } from '../../families/tags/tagged-calls.js';
import type { Tag, TaggedSpelling } from '../../families/tags/tagged-spelling.js';
import { shapeOf } from '../../grammar/object-shape.js';
import type { Tool } from '../../model/index.js';
import { spaceEnd } from '../../text/characters.js';
import { isNameChar } from '../../text/tags.js';

export const TOOL_TAGS: TaggedCalls = {
  family: 'tags',
  call: { open: '<{name}>', close: '</{name}>' },
  argument: { open: '<{key}>', close: '</{key}>' },
  layout: { call: '\n', argument: '\n', behind: '\n' },
  lineLayout: 'read',
};

const NAME_LIMIT = 128;
const SPACE_LIMIT = 256;
/**
 * The characters that may follow the tag of a call: of an argument or the closer, of JSON, of a code fence around it.
 */
const FOLLOWS = '<{`';

type Found = Tag | typeof NO | typeof NOT_YET;

/** Gives where the name of `<name>` or `</name>` ends, from after its `<`; NO or NOT_YET. */
function nameEnd(text: string, from: number, ended: boolean): number {
  let at = from;
  while (at < text.length && at - from <= NAME_LIMIT && isNameChar(text.charCodeAt(at))) at++;
  if (at >= text.length) return ended ? NO : NOT_YET;
  return at > from && text.charAt(at) === '>' ? at : NO;
}

/**
 * Matches, after `<`, the tag of a call and what a call continues with. `atEnd`: whether a tag at the text's end
 * counts.
 */
function callHead(text: string, from: number, ended: boolean, atEnd: boolean): number {
  const end = nameEnd(text, from, ended);
  if (end <= 0) return end;
  const at = spaceEnd(text, end + 1, end + 1 + SPACE_LIMIT);
  const length = end + 1 - from;
  if (at >= text.length) return ended ? (atEnd ? length : NO) : NOT_YET;
  return FOLLOWS.includes(text.charAt(at)) ? length : NO;
}

export function toolTagOpeners(markers: MarkerSet): Opener[] {
  return [
    {
      firsts: '<',
      match: (text, at, ended, tools = NO_TOOLS) => {
        if (!mayName(text, at + 1, tools) || markers.match(text, at, true) > 0) return NO;
        const length = callHead(text, at + 1, ended, false);
        return length > 0 ? length + 1 : length;
      },
      open: (reader, hold) => {
        const { tools } = reader.setup;
        const tool = tools.get(reader.text.slice(reader.at + 1, nameEnd(reader.text, reader.at + 1, true)));
        if (!tool) return hold.reject();
        const [opener] = taggedOpeners(spellingFor(tool, tools, markers));
        return (opener as Opener).open(reader, hold);
      },
    },
  ];
}

const NO_TOOLS: ReadonlyMap<string, Tool> = new Map();

/** Whether a tool's name is here, or the beginning of one at the end of the text. */
function mayName(text: string, from: number, tools: ReadonlyMap<string, Tool>): boolean {
  const end = nameEnd(text, from, false);
  if (end > 0) return tools.has(text.slice(from, end));
  if (end === NO) return false;
  const begun = text.slice(from);
  for (const name of tools.keys()) if (name.startsWith(begun)) return true;
  return false;
}

/** Gives the tags of one call. Inside a value only its own closer and the call's closer count. */
function spellingFor(tool: Tool, tools: ReadonlyMap<string, Tool>, markers: MarkerSet): TaggedSpelling {
  const keys = new Set(keysOf(tool));
  const kindOf = (name: string, closes: boolean): Tag['kind'] => {
    if (closes) return name === tool.name ? 'call-close' : 'value-close';
    return tools.has(name) && !keys.has(name) ? 'call-open' : 'value-open';
  };
  return {
    tag: (text, at, ended, inside) => toolTag(text, at, ended, inside, kindOf),
    opener: (text, at, ended) => toolTag(text, at, ended, undefined, () => 'call-open'),
    markers: valueMarkers(markers, tool),
    block: false,
    lineLayout: 'read',
    endsLostValue: ['call-open', 'value-open'],
  };
}

function toolTag(
  text: string,
  at: number,
  ended: boolean,
  inside: string | undefined,
  kindOf: (name: string, closes: boolean) => Tag['kind'],
): Found {
  if (at + 1 >= text.length) return ended ? NO : NOT_YET;
  const closes = text.charAt(at + 1) === '/';
  if (inside !== undefined && !closes) return NO;
  const nameAt = closes ? 2 : 1;
  const end = nameEnd(text, at + nameAt, ended);
  if (end <= 0) return end as typeof NO | typeof NOT_YET;
  const name = text.slice(at + nameAt, end);
  // A key may have the name of its tool: inside its value, the closer is the key's.
  const kind = name === inside ? 'value-close' : kindOf(name, closes);
  if (inside !== undefined && name !== inside && kind !== 'call-close') return NO;
  const tag: Tag = { kind, length: end + 1 - at, name, nameAt, nameLength: name.length };
  return kind === 'value-open' || kind === 'value-close' ? { ...tag, prefix: name } : tag;
}

// --- markers -------------------------------------------------------------------------------------------

function keysOf({ parameters }: Tool): string[] {
  return shapeOf(parameters).members.map(({ key }) => key);
}

/** Gives the markers in a value: the closers of the call and of its arguments. */
function valueMarkers(markers: MarkerSet, tool: Tool): MarkerSet {
  const closers = [tool.name, ...keysOf(tool)].map((name) => `</${name}>`);
  return defineMarkers([...new Set([...markers.literals, ...closers])]);
}

/** Adds, for the text of an assistant, every tag that could begin a call. */
export function withToolHeads(markers: MarkerSet): MarkerSet {
  const matchTail: MarkerSet['matchTail'] = (first, text, tail, ended) => {
    const found = markers.matchTail(first, text, tail, ended);
    if (found !== NO || first !== '<') return found;
    const head = callHead(text, tail, ended, true);
    return head > 0 ? head + 1 : head;
  };
  const match: MarkerSet['match'] = (text, at, ended, tail = at + 1) =>
    matchTail(text.charAt(at), text, tail, ended);
  const stands = (text: string) => standsAt(text, '<', match) || markers.stands(text);
  return { ...markers, said: { ...markers, match, matchTail, stands } };
}

export const toolTagRules = (markers: MarkerSet): CallRules => ({
  markers: (call, tools) =>
    valueMarkers(markers, tools?.find(({ name }) => name === call.name) ?? { name: call.name }),
  holdsKey: (call, key, tools) => {
    const tool = tools?.find(({ name }) => name === call.name);
    const spelled = [...key].every((char) => isNameChar(char.charCodeAt(0))) && key.length <= NAME_LIMIT;
    return spelled && (!tools?.length || (!!tool && keysOf(tool).includes(key)));
  },
});
