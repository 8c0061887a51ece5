// What a model is told in the place of an item that only its provider knows: a search, a call of a tool that ran at the
// provider. One form for all kinds, since providers add kinds all the time:
//
//   [web_search_call] {"action":{"type":"search","query":"weather in Rome"}}

import { isObject } from '../model/index.js';
import { stringOf } from './values.js';

/** Members that mean something to the provider alone. */
const opaqueKeys: ReadonlySet<string> = new Set(['encrypted_content', 'signature', 'cache_control']);

/** Texts that are longer than this, without a space at their beginning, are data: images, encrypted content. */
const DATA_LENGTH = 1024;

/** What is nested deeper is left out. */
const DEEPEST = 16;

/** Gives the text; '' if the item holds nothing that a model could read. */
export function standInFor(item: unknown): string {
  if (!isObject(item)) return '';
  const { type: _, status: __, ...members } = item;
  const told = readable(members, 0);
  return told === undefined ? '' : `[${stringOf(item, 'type') ?? 'item'}] ${JSON.stringify(told)}`;
}

/** Gives the value without what is empty or means nothing to a model; undefined if nothing is left. */
function readable(value: unknown, depth: number): unknown {
  if (value === null || value === undefined || value === '' || depth > DEEPEST) return undefined;
  if (typeof value === 'string') return isData(value) ? `(${value.length} characters left out)` : value;
  if (Array.isArray(value)) {
    const list = value.map((one) => readable(one, depth + 1)).filter((one) => one !== undefined);
    return list.length > 0 ? list : undefined;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    if (opaqueKeys.has(key) || key === 'id' || key.endsWith('_id')) return [];
    const told = readable(member, depth + 1);
    return told === undefined ? [] : [[key, told]];
  });
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

function isData(text: string): boolean {
  return text.length > DATA_LENGTH && !/\s/.test(text.slice(0, DATA_LENGTH));
}
