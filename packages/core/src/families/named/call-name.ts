// Reads what is between a call's opener and its arguments: a prefix, the name, an id, a separator.
//
//   functions.get_weather:0<|tool_call_argument_begin|>{…      get_weather[CALL_ID]x7[ARGS]{…
//   ^ prefix  ^ name     ^ index  ^ separator                  ^ name     ^ marker ^ id
//
//   x7<|tool_call:name|>get_weather<|tool_call:args|>{…
//   ^ id ^ marker       ^ name     ^ separator

import { nextOf } from '../../engine/markers.js';
import type { Tool } from '../../model/index.js';

export interface NameSpelling {
  prefix: readonly string[];
  /**
   * Signs between the name and the call's index. The first always counts; others only if a declared tool's name is
   * left.
   */
  index: readonly string[];
  /** The marker between the name and an id after it. */
  idOpen?: string | undefined;
  /** The marker between an id and the name after it. */
  idBefore?: string | undefined;
  /** The separators before the arguments. An empty one: the brace of the arguments separates. */
  separator: readonly string[];
}

export interface CallName {
  name: string;
  /** Offsets of the name and of the arguments, from the opener's end. */
  nameAt: number;
  end: number;
  id?: string;
  /** Whether a number is written in place of the name: then the arguments must show which tool is meant. */
  nameless: boolean;
}

const NAME_LIMIT = 256;
/** How far to look for a separator: names, ids and prefixes are short. */
const LOOK = 512;

/** Reads the name of a call. Undefined: more text must come. Null: this is no call. */
export function readCallName(
  text: string,
  at: number,
  spelling: NameSpelling,
  tools: ReadonlyMap<string, Tool>,
): CallName | null | undefined {
  const { idBefore } = spelling;
  if (idBefore === undefined) return readName(text, at, spelling, tools);
  const ahead = text.slice(at, at + LOOK);
  const ends = [idBefore, ...spelling.separator];
  const found = firstOf(ahead, 0, ends);
  if (!found) return ahead.length < LOOK && canBeName(ahead, 0, ends) ? undefined : null;
  if (found.marker !== idBefore) return readName(text, at, spelling, tools);
  const id = ahead.slice(0, found.at).trim();
  if (id !== '' && !isName(id)) return null;
  const skipped = found.at + idBefore.length;
  const named = readName(text, at + skipped, spelling, tools);
  if (!named) return named;
  return { ...named, nameAt: named.nameAt + skipped, end: named.end + skipped, ...(id !== '' && { id }) };
}

function readName(
  text: string,
  at: number,
  spelling: NameSpelling,
  tools: ReadonlyMap<string, Tool>,
): CallName | null | undefined {
  // Bounded: a flood of openers must not be searched to the end for each of them.
  const ahead = text.slice(at, at + LOOK);
  const prefix = spelling.prefix.find((candidate) => ahead.trimStart().startsWith(candidate)) ?? '';
  const from = prefix === '' ? 0 : ahead.indexOf(prefix) + prefix.length;
  const ends = [...spelling.separator, ...(spelling.idOpen ? [spelling.idOpen] : [])];
  const found = firstOf(ahead, from, ends);
  if (!found) return ahead.length < LOOK && canBeName(ahead, from, ends) ? undefined : null;
  const name = nameOf(ahead.slice(from, found.at).trim(), prefix, spelling, tools);
  if (!isName(name)) return null;
  const nameAt = ahead.indexOf(name, prefix !== '' && name.startsWith(prefix) ? 0 : from);
  const nameless = spelling.index.length > 0 && /^[0-9]+$/.test(name) && !tools.has(name);
  const head = { name, nameAt, nameless };
  if (found.marker !== spelling.idOpen) return { ...head, end: found.at + found.marker.length };
  const start = found.at + found.marker.length;
  const behind = firstOf(ahead, start, spelling.separator);
  if (!behind) return ahead.length < LOOK ? undefined : null;
  const id = ahead.slice(start, behind.at).trim();
  return { ...head, end: behind.at + behind.marker.length, ...(id !== '' && { id }) };
}

/** Gives the name without the call's index. A prefix that belongs to a declared tool's name stays. */
function nameOf(
  written: string,
  prefix: string,
  { index }: NameSpelling,
  tools: ReadonlyMap<string, Tool>,
): string {
  for (const [at, sign] of index.entries()) {
    const cut = written.lastIndexOf(sign);
    if (cut <= 0 || !/^[0-9]+$/.test(written.slice(cut + sign.length))) continue;
    const name = written.slice(0, cut);
    if (at === 0 || tools.has(name))
      return tools.has(prefix + name) && !tools.has(name) ? prefix + name : name;
  }
  return tools.has(prefix + written) && !tools.has(written) ? prefix + written : written;
}

function firstOf(
  text: string,
  from: number,
  markers: readonly string[],
): { at: number; marker: string } | undefined {
  let first: { at: number; marker: string } | undefined;
  for (const marker of markers) {
    const at = text.indexOf(marker === '' ? '{' : marker, from);
    if (at >= 0 && (!first || at < first.at)) first = { at, marker };
  }
  return first;
}

function isName(name: string): boolean {
  return name !== '' && name.length <= NAME_LIMIT && !/[\s<>{}"'`]/.test(name);
}

/**
 * Whether the text, up to where a tag or a separator may begin, may still be a name. A mention in prose has spaces or
 * quotes.
 */
function canBeName(text: string, at: number, ends: readonly string[]): boolean {
  const firsts = `<${ends.map((end) => end.charAt(0)).join('')}`;
  const ahead = text.slice(at, Math.min(nextOf(text, firsts, at), at + NAME_LIMIT)).trimStart();
  return !/[\s{}"'`]\S/.test(ahead) && !/^[{}"'`]/.test(ahead);
}
