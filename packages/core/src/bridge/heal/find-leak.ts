// Looks for calls in the text of a whole answer, in the spelling of any dialect: what an endpoint should have delivered
// as calls. Calls that the text only quotes do not count.

import { all } from '../../dialects/all.js';
import type { Dialect } from '../../engine/dialect.js';
import { type RankedReading, rankReadings } from '../../engine/rank-readings.js';
import type { Range, Tool } from '../../model/index.js';
import { spaceEnd } from '../../text/characters.js';
import { dialectOfModel } from '../emulate/dialect-of-model.js';
import { StrippedWatch } from '../emulate/stripped-watch.js';
import { leavesBareName, type StrippedHead, strippedHeads } from '../engines/special-tokens.js';
import { LeakWatch } from './leak-watch.js';

export interface FoundLeak {
  dialect: Dialect;
  /** The names of the tools that are called. */
  names: string[];
  range: Range;
  /** The special tokens that the call is made of were left out, so that nothing shows where it ends. */
  stripped: boolean;
}

export interface LeakSearch {
  tools: readonly Tool[];
  /** The dialect of a model of this name is preferred, where several read the text equally well. */
  model?: string;
  dialects?: readonly Dialect[];
  /**
   * `findBareLeak`: a call that ends a line counts behind text on it in every dialect, also without markers, and not only
   * where templates put it there. Given as a function, so that only what needs it loads it.
   */
  behindText?: (text: string, search: LeakSearch) => FoundLeak | undefined;
}

/** The most that is read, in characters. */
const MOST_READ = 256 * 1024;

export function findLeak(whole: string, search: LeakSearch): FoundLeak | undefined {
  const text = whole.slice(0, MOST_READ);
  // Every dialect writes the name of the tool as it is; most texts hold none, and to read them in all dialects costs.
  if (!search.tools.some(({ name }) => text.includes(name))) return undefined;
  const found = findCalls(text, search) ?? search.behindText?.(text, search);
  // A call without any marker may be what is left of one that had them.
  return found?.dialect.markers.stands(text) ? found : (findStripped(text, search) ?? found);
}

// --- calls in a dialect --------------------------------------------------------------------------------------

export function findCalls(text: string, search: LeakSearch): FoundLeak | undefined {
  const { tools, model = '', dialects = all.dialects } = search;
  const behindText = search.behindText !== undefined;
  const { fitting } = rankReadings(dialects, text, { tools });
  const own = dialectOfModel(model, all);
  const readings = [...fitting].sort((a, b) => Number(b.dialect === own) - Number(a.dialect === own));
  for (const reading of readings) {
    const found = leakIn(reading, text, tools, behindText);
    if (found) return found;
  }
  return undefined;
}

function leakIn(
  reading: RankedReading,
  text: string,
  tools: readonly Tool[],
  behindText: boolean,
): FoundLeak | undefined {
  const { dialect, lost } = reading;
  const isKnown = (name: string | undefined) => tools.some((tool) => tool.name === name);
  const accepts = ({ name }: { name: string }) => isKnown(name);
  const watch = new LeakWatch(dialect, { parser: { tools }, accepts, behindText });
  const segments = [...watch.feed(text), ...watch.finish()];
  const calls = segments.flatMap((segment) => (segment.type === 'call' ? [segment] : []));
  const [first] = calls;
  if (first) {
    return { dialect, names: calls.map(({ call }) => call.name), range: first.range, stripped: false };
  }
  const cut = reading.calls.length === 0 ? lost.find(({ name }) => isKnown(name)) : undefined;
  return cut?.name === undefined
    ? undefined
    : { dialect, names: [cut.name], range: cut.range, stripped: false };
}

// --- calls without their special tokens ----------------------------------------------------------------------

function findStripped(text: string, search: LeakSearch): FoundLeak | undefined {
  const { tools, model = '', dialects = all.dialects } = search;
  const own = dialectOfModel(model, all);
  const candidates = own ? [own, ...dialects] : dialects;
  for (const dialect of candidates) {
    const heads = strippedHeads(dialect, tools).filter(isTelling);
    const found = heads.length > 0 ? new StrippedWatch(heads).feed(text).found : undefined;
    if (!found) continue;
    return { dialect, names: [found.tool], range: [found.at, text.length], stripped: true };
  }
  const bare = candidates.find(leavesBareName);
  const names = bare ? bareCallsIn(text, tools) : [];
  return bare && names.length > 0
    ? { dialect: bare, names, range: [0, text.length], stripped: true }
    : undefined;
}

/** The tools of a text that is nothing but names with their arguments: `get_weather{"city": …}`. */
function bareCallsIn(text: string, tools: readonly Tool[]): string[] {
  const names: string[] = [];
  for (let at = spaceEnd(text, 0); at < text.length; ) {
    const called = tools.find(({ name }) => text.startsWith(name, at) && text[at + name.length] === '{');
    const end = called ? objectEnd(text, at + called.name.length) : -1;
    if (!called || end < 0) return [];
    names.push(called.name);
    at = spaceEnd(text, end);
  }
  return names;
}

/** Where the object ends that begins at `from`; -1 if it does not. */
function objectEnd(text: string, from: number): number {
  let depth = 0;
  let isString = false;
  for (let at = from; at < text.length; at++) {
    const one = text[at];
    if (isString && one === '\\') at++;
    else if (one === '"') isString = !isString;
    else if (!isString && one === '{') depth++;
    else if (!isString && one === '}' && --depth === 0) return at + 1;
  }
  return -1;
}

/** A head that is bare JSON is a call of the dialects that write bare JSON. */
function isTelling({ start }: StrippedHead): boolean {
  return !start.startsWith('{') && !start.startsWith('[');
}
