// The filters of Jinja, and `tojson` of transformers. Filters that chat templates do not need (`urlize`,
// `wordwrap`, `random` …) are not implemented and throw an error.

import { getAttribute, getItem, pairs } from './access.js';
import { formatPercent } from './format.js';
import { toJson } from './json.js';
import { absolute, round, toFloat, toInteger } from './number-filters.js';
import {
  type Arguments,
  asInteger,
  asNumber,
  asString,
  bind,
  characters,
  compare,
  fault,
  isEqual,
  isTrue,
  itemsOf,
  lengthOf,
  Stream,
  Tuple,
  toText,
  typeName,
  Undefined,
  type Value,
} from './python.js';
import { runTest } from './tests.js';
import { capitalize, filterTitle, joinValues, pad, replaceText, splitLines, strip, words } from './text.js';
import type { Work } from './work.js';

type Filter = (value: Value, args: Arguments, work: Work) => Value;

export function applyFilter(name: string, value: Value, args: Arguments, work: Work): Value {
  const filter = FILTERS.get(name) ?? fault(`No filter named '${name}'.`);
  return filter(value, args, work);
}

const FILTERS = new Map<string, Filter>([
  ['tojson', toJson],
  ['default', defaultTo],
  ['d', defaultTo],
  ['string', (value, _, work) => toText(value, work)],
  ['safe', (value, _, work) => toText(value, work)],
  ['escape', (value, _, work) => escapeHtml(toText(value, work), work)],
  ['e', (value, _, work) => escapeHtml(toText(value, work), work)],
  ['trim', (value, args, work) => trim(toText(value, work), args)],
  ['upper', (value, _, work) => upper(toText(value, work), work)],
  ['lower', (value, _, work) => lower(toText(value, work), work)],
  ['title', (value, _, work) => filterTitle(toText(value, work), work)],
  ['capitalize', (value, _, work) => capitalize(toText(value, work), work)],
  ['replace', (value, args, work) => replaceFilter(toText(value, work), args, work)],
  ['indent', (value, args, work) => indent(toText(value, work), args, work)],
  ['center', (value, args, work) => center(toText(value, work), args, work)],
  ['truncate', (value, args, work) => truncate(toText(value, work), args, work)],
  ['format', (value, args, work) => formatFilter(toText(value, work), args, work)],
  ['wordcount', (value, _, work) => BigInt(words(toText(value, work), work).length)],
  ['length', (value, _, work) => BigInt(lengthOf(value, work))],
  ['count', (value, _, work) => BigInt(lengthOf(value, work))],
  ['list', (value, _, work) => [...itemsOf(value, work)]],
  ['first', (value, _, work) => itemOr(itemsOf(value, work)[0], 'No first item, sequence was empty.')],
  ['last', (value, _, work) => lastOf(value, work)],
  ['reverse', (value, _, work) => reverse(value, work)],
  ['join', join],
  ['items', (value, _, work) => items(value, work)],
  ['dictsort', dictSort],
  ['sort', sort],
  ['unique', unique],
  ['groupby', groupBy],
  ['batch', batch],
  ['map', map],
  ['select', (value, args, work) => select(value, args, work, true)],
  ['reject', (value, args, work) => select(value, args, work, false)],
  ['selectattr', (value, args, work) => selectAttribute(value, args, work, true)],
  ['rejectattr', (value, args, work) => selectAttribute(value, args, work, false)],
  ['attr', getAttributeOnly],
  ['sum', sum],
  ['min', (value, args, work) => extreme(value, args, work, -1)],
  ['max', (value, args, work) => extreme(value, args, work, 1)],
  ['abs', absolute],
  ['int', toInteger],
  ['float', toFloat],
  ['round', round],
]);

function defaultTo(value: Value, args: Arguments): Value {
  const [other = '', boolean = false] = bind('default', args, ['default_value', 'boolean']);
  return value instanceof Undefined || (isTrue(boolean) && !isTrue(value)) ? other : value;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

function escapeHtml(text: string, work: Work): string {
  work.text(text.length);
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}

function trim(text: string, args: Arguments): string {
  const [chars = null] = bind('trim', args, ['chars']);
  return strip(text, chars === null ? undefined : asString(chars, 'chars'), true, true);
}

function replaceFilter(text: string, args: Arguments, work: Work): string {
  const [old = null, by = null, count = null] = bind('replace', args, ['old', 'new', 'count']);
  return replaceText(text, toText(old, work), toText(by, work), count ?? -1n, work);
}

function indent(text: string, args: Arguments, work: Work): string {
  const [width = 4n, first = false, blank = false] = bind('indent', args, ['width', 'first', 'blank']);
  const margin = typeof width === 'string' ? width : pad('', asInteger(width, 'width'), ' ', 0, work);
  const lines = splitLines(`${text}\n`, work);
  work.text(text.length + lines.length * margin.length);
  const body = lines.map((line, at) => (at === 0 || (line === '' && !isTrue(blank)) ? line : margin + line));
  return (isTrue(first) ? margin : '') + body.join('\n');
}

function center(text: string, args: Arguments, work: Work): string {
  const [width = 80n] = bind('center', args, ['width']);
  return pad(text, asInteger(width, 'width'), ' ', 0.5, work);
}

function truncate(text: string, args: Arguments, work: Work): string {
  const names = ['length', 'killwords', 'end', 'leeway'];
  const [length = 255n, kill = false, end = '...', leeway = 5n] = bind('truncate', args, names);
  work.walk(text.length);
  const chars = characters(text);
  const most = asInteger(length, 'length');
  if (chars.length <= most + asInteger(leeway ?? 5n, 'leeway')) return text;
  const tail = asString(end, 'end');
  const head = chars.slice(0, most - lengthOf(tail, work)).join('');
  const space = isTrue(kill) ? -1 : head.lastIndexOf(' ');
  return (space < 0 ? head : head.slice(0, space)) + tail;
}

function formatFilter(text: string, args: Arguments, work: Work): string {
  const values = args.named.size > 0 ? new Map<Value, Value>(args.named) : new Tuple(args.positional);
  return formatPercent(text, values, work);
}

function itemOr(item: Value | undefined, message: string): Value {
  return item === undefined ? new Undefined(message) : item;
}

function lastOf(value: Value, work: Work): Value {
  if (value instanceof Stream) return fault("'generator' object is not reversible");
  return itemOr(itemsOf(value, work).at(-1), 'No last item, sequence was empty.');
}

function reverse(value: Value, work: Work): Value {
  const turned = [...itemsOf(value, work)].reverse();
  return typeof value === 'string' ? turned.join('') : new Stream(turned);
}

function join(value: Value, args: Arguments, work: Work): string {
  const [sep = '', attribute = null] = bind('join', args, ['d', 'attribute']);
  const all = itemsOf(value, work);
  const picked = attribute === null ? all : all.map((item) => getPath(item, attribute, work));
  return joinValues(toText(sep, work), picked, work);
}

function items(value: Value, work: Work): Stream {
  if (value instanceof Undefined) return new Stream([]);
  if (value instanceof Map) return new Stream(pairs(value, work));
  return fault('Can only get item pairs from a mapping.');
}

/** Follows a path of attributes: `'function.name'`, or `'0'` for the first item. */
function getPath(item: Value, path: Value, work: Work, other?: Value): Value {
  if (typeof path === 'bigint') return getItem(item, path, work);
  let at = item;
  for (const part of asString(path, 'attribute').split('.')) {
    at = getItem(at, /^\d+$/.test(part) ? BigInt(part) : part, work);
    if (other !== undefined && at instanceof Undefined) at = other;
  }
  return at;
}

function lowered(value: Value, caseSensitive: Value, work: Work): Value {
  return typeof value === 'string' && !isTrue(caseSensitive) ? lower(value, work) : value;
}

function lower(text: string, work: Work): string {
  work.text(text.length);
  return text.toLowerCase();
}

function upper(text: string, work: Work): string {
  work.text(text.length);
  return text.toUpperCase();
}

function dictSort(value: Value, args: Arguments, work: Work): Value[] {
  const names = ['case_sensitive', 'by', 'reverse'];
  const [exact = false, by = 'key', reversed = false] = bind('dictsort', args, names);
  if (!(value instanceof Map)) return fault(`'${typeName(value)}' object has no attribute 'items'`);
  const place = by === 'value' ? 1 : by === 'key' ? 0 : fault('You can only sort by either "key" or "value"');
  const key = (pair: Tuple) => lowered(pair.items[place] as Value, exact, work);
  return sorted(pairs(value, work), key, reversed, work);
}

function sort(value: Value, args: Arguments, work: Work): Value[] {
  const names = ['reverse', 'case_sensitive', 'attribute'];
  const [reversed = false, exact = false, attribute = null] = bind('sort', args, names);
  const all = itemsOf(value, work);
  if (attribute === null) return sorted(all, (item) => lowered(item, exact, work), reversed, work);
  const paths = typeof attribute === 'string' ? attribute.split(',') : [attribute];
  const key = (item: Value) => paths.map((path) => lowered(getPath(item, path, work), exact, work));
  return sorted(all, key, reversed, work);
}

/** Sorts stably: equal items keep their order, even if reversed. */
function sorted<T extends Value>(
  all: readonly T[],
  key: (item: T) => Value,
  reversed: Value,
  work: Work,
): T[] {
  const sign = isTrue(reversed) ? -1 : 1;
  const keyed = all.map((item) => ({ item, key: key(item) }));
  return keyed.sort((a, b) => sign * compare(a.key, b.key, work)).map(({ item }) => item);
}

function unique(value: Value, args: Arguments, work: Work): Stream {
  const [exact = false, attribute = null] = bind('unique', args, ['case_sensitive', 'attribute']);
  const seen = new Set<Value>();
  const kept = itemsOf(value, work).filter((item) => {
    const key = lowered(attribute === null ? item : getPath(item, attribute, work), exact, work);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return new Stream(kept);
}

function groupBy(value: Value, args: Arguments, work: Work): Value[] {
  const names = ['attribute', 'default', 'case_sensitive'];
  const [attribute = null, other, exact = false] = bind('groupby', args, names);
  const key = (item: Value) => lowered(getPath(item, attribute, work, other), exact, work);
  const groups: { key: Value; list: Value[] }[] = [];
  for (const item of sorted(itemsOf(value, work), key, false, work)) {
    const group = groups.at(-1);
    if (group && isEqual(group.key, key(item), work)) group.list.push(item);
    else groups.push({ key: key(item), list: [item] });
  }
  return groups.map(({ list }) => new Tuple([getPath(list[0] ?? null, attribute, work, other), list]));
}

function batch(value: Value, args: Arguments, work: Work): Stream {
  const [count = 1n, fill = null] = bind('batch', args, ['linecount', 'fill_with']);
  const size = asInteger(count, 'linecount');
  if (size < 1) fault('batch needs a count above 0');
  const all = itemsOf(value, work);
  const rows: Value[][] = [];
  for (let at = 0; at < all.length; at += size) rows.push(all.slice(at, at + size));
  const last = rows.at(-1);
  if (last && fill !== null) {
    work.spend(size);
    while (last.length < size) last.push(fill);
  }
  return new Stream(rows);
}

/** Gives the items for `map` and `select`, which treat any false value (even None) as an empty list. */
function itemsIfTrue(value: Value, work: Work): readonly Value[] {
  return isTrue(value) ? itemsOf(value, work) : [];
}

function map(value: Value, args: Arguments, work: Work): Stream {
  const all = itemsIfTrue(value, work);
  const [name, ...positional] = args.positional;
  if (name === undefined) {
    const path = args.named.get('attribute') ?? fault('map requires a filter argument');
    const other = args.named.get('default');
    return new Stream(all.map((item) => getPath(item, path, work, other)));
  }
  const filter = asString(name, 'the name of a filter');
  return new Stream(all.map((item) => applyFilter(filter, item, { positional, named: args.named }, work)));
}

function select(value: Value, args: Arguments, work: Work, wanted: boolean): Stream {
  const [test, ...rest] = args.positional;
  return new Stream(itemsIfTrue(value, work).filter((item) => passes(item, test, rest, work) === wanted));
}

function selectAttribute(value: Value, args: Arguments, work: Work, wanted: boolean): Stream {
  const [path = fault('Missing parameter for attribute name'), test, ...rest] = args.positional;
  const kept = itemsIfTrue(value, work).filter(
    (item) => passes(getPath(item, path, work), test, rest, work) === wanted,
  );
  return new Stream(kept);
}

function passes(value: Value, test: Value | undefined, rest: Value[], work: Work): boolean {
  return test === undefined
    ? isTrue(value)
    : runTest(asString(test, 'the name of a test'), value, rest, work);
}

function getAttributeOnly(value: Value, args: Arguments, work: Work): Value {
  const name = asString(args.positional[0], 'the name of an attribute');
  if (value instanceof Map) return getAttribute(new Map(), name, work);
  return getAttribute(value, name, work);
}

function sum(value: Value, args: Arguments, work: Work): Value {
  const [attribute = null, start = 0n] = bind('sum', args, ['attribute', 'start']);
  let total = asNumber(start) ?? fault('sum needs numbers');
  for (const item of itemsOf(value, work)) {
    const picked = attribute === null ? item : getPath(item, attribute, work);
    const next = asNumber(picked) ?? fault(`unsupported operand type(s) for +: '${typeName(picked)}'`);
    total =
      typeof total === 'bigint' && typeof next === 'bigint' ? total + next : Number(total) + Number(next);
  }
  return total;
}

function extreme(value: Value, args: Arguments, work: Work, sign: 1 | -1): Value {
  const [exact = false, attribute = null] = bind('min', args, ['case_sensitive', 'attribute']);
  const key = (item: Value) =>
    lowered(attribute === null ? item : getPath(item, attribute, work), exact, work);
  let best: Value | undefined;
  for (const item of itemsOf(value, work)) {
    if (best === undefined || sign * compare(key(item), key(best), work) > 0) best = item;
  }
  return itemOr(best, 'No aggregated item, sequence was empty.');
}
