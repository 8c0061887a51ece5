// Python's methods of str. Characters are code points, and white space is as Python defines it.

import { formatFields } from './format.js';
import {
  type Arguments,
  asInteger,
  asString,
  bind,
  Callable,
  characters,
  codePoints,
  fault,
  itemsOf,
  Tuple,
  toText,
  type Value,
} from './python.js';
import type { Work } from './work.js';

type Method = (text: string, args: Arguments, work: Work) => Value;

const WHITE =
  '\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a' +
  '\u2028\u2029\u202f\u205f\u3000';
const LINE_ENDS = '\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029';

export function stringMethod(text: string, name: string, work: Work): Callable | undefined {
  const method = METHODS.get(name);
  if (!method) return undefined;
  return new Callable(name, (args) => {
    if (CHEAP.includes(name)) work.scan(text.length);
    else work.text(text.length);
    return method(text, args, work);
  });
}

/** Methods that only scan the text or slice it, without a copy of its length. */
const CHEAP = 'strip lstrip rstrip startswith endswith find rfind index rindex isascii'.split(' ');

const METHODS = new Map<string, Method>([
  ['strip', (text, args) => strip(text, charsOf('strip', args), true, true)],
  ['lstrip', (text, args) => strip(text, charsOf('lstrip', args), true, false)],
  ['rstrip', (text, args) => strip(text, charsOf('rstrip', args), false, true)],
  ['upper', (text) => text.toUpperCase()],
  ['lower', (text) => text.toLowerCase()],
  ['casefold', (text) => text.toLowerCase().replaceAll('ß', 'ss')],
  ['title', (text, _, work) => title(text, work)],
  ['capitalize', (text, _, work) => capitalize(text, work)],
  ['swapcase', (text, _, work) => swapCase(text, work)],
  ['split', (text, args, work) => split(text, args, work, false)],
  ['rsplit', (text, args, work) => split(text, args, work, true)],
  [
    'splitlines',
    (text, args, work) => splitLines(text, work, bind('splitlines', args, ['keepends'])[0] === true),
  ],
  ['partition', (text, args) => partition(text, args, text.indexOf(separator(args)), [0, 1, 2])],
  ['rpartition', (text, args) => partition(text, args, text.lastIndexOf(separator(args)), [1, 2, 0])],
  ['replace', (text, args, work) => replaceMethod(text, args, work)],
  ['startswith', (text, args, work) => affix(text, args, work, (part, from) => part.startsWith(from))],
  ['endswith', (text, args, work) => affix(text, args, work, (part, end) => part.endsWith(end))],
  ['removeprefix', (text, args) => cut(text, args, true)],
  ['removesuffix', (text, args) => cut(text, args, false)],
  ['find', (text, args) => position(text, text.indexOf(needle(args)))],
  ['rfind', (text, args) => position(text, text.lastIndexOf(needle(args)))],
  ['index', (text, args) => found(position(text, text.indexOf(needle(args))))],
  ['rindex', (text, args) => found(position(text, text.lastIndexOf(needle(args))))],
  ['count', (text, args) => BigInt(count(text, needle(args)))],
  [
    'join',
    (text, args, work) =>
      joinText(text, itemsOf(bind('join', args, ['items'])[0] ?? fault('join'), work), work),
  ],
  ['format', (text, args, work) => formatFields(text, args, work)],
  ['ljust', (text, args, work) => justify(text, args, work, 0)],
  ['rjust', (text, args, work) => justify(text, args, work, 1)],
  ['center', (text, args, work) => justify(text, args, work, 0.5)],
  ['zfill', (text, args, work) => zeroFill(text, args, work)],
  ['isdigit', (text) => /^\p{Nd}+$/u.test(text)],
  ['isdecimal', (text) => /^\p{Nd}+$/u.test(text)],
  ['isnumeric', (text) => /^\p{N}+$/u.test(text)],
  ['isalpha', (text) => /^\p{L}+$/u.test(text)],
  ['isalnum', (text) => /^[\p{L}\p{N}]+$/u.test(text)],
  ['isspace', (text) => text !== '' && strip(text, WHITE, true, false) === ''],
  ['isupper', (text) => isUpper(text)],
  ['islower', (text) => isLower(text)],
  ['isascii', (text) => /^[\0-\x7f]*$/.test(text)],
]);

export function strip(text: string, chars: string | undefined, left: boolean, right: boolean): string {
  // All of Python's white space is in the BMP, so that UTF-16 units can be compared.
  const set = new Set(chars === undefined ? WHITE : characters(chars));
  const units = [...set].every((char) => char.length === 1) ? text : characters(text);
  let start = 0;
  let end = units.length;
  while (left && start < end && set.has(units[start] ?? '')) start++;
  while (right && end > start && set.has(units[end - 1] ?? '')) end--;
  const kept = units.slice(start, end);
  return typeof kept === 'string' ? kept : kept.join('');
}

function charsOf(of: string, args: Arguments): string | undefined {
  const [chars = null] = bind(of, args, ['chars']);
  return chars === null ? undefined : asString(chars, `${of} arg`);
}

export function isUpper(text: string): boolean {
  return text.toUpperCase() === text && text.toLowerCase() !== text;
}

export function isLower(text: string): boolean {
  return text.toLowerCase() === text && text.toUpperCase() !== text;
}

export function capitalize(text: string, work: Work): string {
  work.text(text.length);
  const first = firstCharacter(text);
  return first.toUpperCase() + text.slice(first.length).toLowerCase();
}

function firstCharacter(text: string): string {
  return text === '' ? '' : String.fromCodePoint(text.codePointAt(0) ?? 0);
}

/** Does the same as `str.title`: a letter after a character without case is upper case ("They'Re"). */
function title(text: string, work: Work): string {
  work.spend(text.length * 2);
  let inWord = false;
  return characters(text)
    .map((char) => {
      const written = inWord ? char.toLowerCase() : char.toUpperCase();
      inWord = char.toLowerCase() !== char.toUpperCase();
      return written;
    })
    .join('');
}

function swapCase(text: string, work: Work): string {
  work.spend(text.length * 2);
  return characters(text)
    .map((char) => (isUpper(char) ? char.toLowerCase() : char.toUpperCase()))
    .join('');
}

function split(text: string, args: Arguments, work: Work, fromRight: boolean): Value[] {
  const [sep = null, maxsplit = -1n] = bind('split', args, ['sep', 'maxsplit']);
  const given = asInteger(maxsplit, 'maxsplit');
  const max = given < 0 ? Number.POSITIVE_INFINITY : given;
  const pieces =
    sep === null ? splitWhite(text, max, fromRight, work) : splitAt(text, separatorText(sep), max, fromRight);
  work.spend(pieces.length);
  return pieces;
}

function separatorText(sep: Value): string {
  return asString(sep, 'separator') || fault('empty separator');
}

function splitAt(text: string, sep: string, max: number, fromRight: boolean): string[] {
  const pieces = text.split(sep);
  const surplus = pieces.length - 1 - max;
  if (surplus <= 0) return pieces;
  if (fromRight) return [pieces.slice(0, surplus + 1).join(sep), ...pieces.slice(surplus + 1)];
  return [...pieces.slice(0, max), pieces.slice(max).join(sep)];
}

function splitWhite(text: string, max: number, fromRight: boolean, work: Work): string[] {
  work.walk(text.length);
  const words = wordRanges(text);
  if (words.length - 1 <= max) return words.map(([start, end]) => text.slice(start, end));
  if (fromRight) {
    const kept = words.slice(words.length - max);
    const head = strip(text.slice(0, kept[0]?.[0]), undefined, false, true);
    return [head, ...kept.map(([start, end]) => text.slice(start, end))];
  }
  const kept = words.slice(0, max).map(([start, end]) => text.slice(start, end));
  return [...kept, text.slice(words[max]?.[0])];
}

function wordRanges(text: string): [number, number][] {
  const ranges: [number, number][] = [];
  let start = -1;
  for (let at = 0; at <= text.length; at++) {
    const white = at === text.length || WHITE.includes(text.charAt(at));
    if (white && start >= 0) ranges.push([start, at]);
    if (white) start = -1;
    else if (start < 0) start = at;
  }
  return ranges;
}

export function words(text: string, work: Work): string[] {
  return splitWhite(text, Number.POSITIVE_INFINITY, false, work);
}

export function splitLines(text: string, work: Work, keepEnds = false): string[] {
  work.walk(text.length);
  const lines: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (!LINE_ENDS.includes(text.charAt(at))) continue;
    const end = at;
    if (text.startsWith('\r\n', at)) at++;
    lines.push(text.slice(start, keepEnds ? at + 1 : end));
    start = at + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

function separator(args: Arguments): string {
  return separatorText(bind('partition', args, ['sep'])[0] ?? fault('partition() takes one argument'));
}

/** Gives text before, separator, text after. Without a separator, the 0 in `order` is the place of the text. */
function partition(text: string, args: Arguments, at: number, order: number[]): Tuple {
  const sep = separator(args);
  if (at >= 0) return new Tuple([text.slice(0, at), sep, text.slice(at + sep.length)]);
  return new Tuple(order.map((place) => (place === 0 ? text : '')));
}

function replaceMethod(text: string, args: Arguments, work: Work): string {
  const [old, by, max = -1n] = bind('replace', args, ['old', 'new', 'count']);
  const [from, to] = [asString(old, 'replace() argument 1'), asString(by, 'replace() argument 2')];
  return replaceText(text, from, to, max, work);
}

export function replaceText(text: string, old: string, by: string, max: Value, work: Work): string {
  const given = asInteger(max, 'count');
  const limit = given < 0 ? Number.POSITIVE_INFINITY : given;
  const pieces = old === '' ? ['', ...characters(text), ''] : text.split(old);
  const times = Math.min(pieces.length - 1, limit);
  work.text(text.length + times * by.length);
  if (pieces.length - 1 <= limit) return pieces.join(by);
  return pieces.slice(0, times + 1).join(by) + old + pieces.slice(times + 1).join(old);
}

function affix(
  text: string,
  args: Arguments,
  work: Work,
  test: (part: string, affix: string) => boolean,
): boolean {
  const [given, start = 0n, end = null] = bind('startswith', args, ['prefix', 'start', 'end']);
  const cut = start === 0n && end === null ? text : sliceText(text, start, end);
  if (given instanceof Tuple) return itemsOf(given, work).some((item) => test(cut, asString(item, 'prefix')));
  return test(cut, asString(given, 'startswith first arg'));
}

function sliceText(text: string, start: Value, end: Value): string {
  const to = end === null ? undefined : asInteger(end, 'end');
  return characters(text).slice(asInteger(start, 'start'), to).join('');
}

function cut(text: string, args: Arguments, front: boolean): string {
  const part = needle(args);
  if (front) return text.startsWith(part) ? text.slice(part.length) : text;
  return part !== '' && text.endsWith(part) ? text.slice(0, -part.length) : text;
}

function needle(args: Arguments): string {
  if (args.positional.length > 1) fault('find() with a start or an end is not supported');
  return asString(args.positional[0], 'argument');
}

function position(text: string, at: number): bigint {
  return BigInt(at < 0 ? at : codePoints(text.slice(0, at)));
}

function found(at: bigint): bigint {
  return at < 0n ? fault('substring not found') : at;
}

function count(text: string, part: string): number {
  return part === '' ? codePoints(text) + 1 : text.split(part).length - 1;
}

/** Does the same as `str.join`, which takes strings only. */
function joinText(sep: string, items: readonly Value[], work: Work): string {
  const texts = items.map((item, at) => asString(item, `sequence item ${at}`));
  return joinAll(sep, texts, work);
}

function joinAll(sep: string, texts: readonly string[], work: Work): string {
  work.text(texts.reduce((sum, text) => sum + text.length + sep.length, 0));
  return texts.join(sep);
}

/** Pads the text. `left` is the share of the padding before it: 0, 0.5 or 1. */
function justify(text: string, args: Arguments, work: Work, left: number): string {
  const [width, fill = ' '] = bind('justify', args, ['width', 'fillchar']);
  const wide = asInteger(width ?? fault('width is missing'), 'width');
  return pad(text, wide, asString(fill, 'fillchar'), left, work);
}

export function pad(text: string, width: number, fill: string, left: number, work: Work): string {
  const space = Math.max(0, width - codePoints(text));
  work.text(space);
  // Python's `center` puts less space before the text, except if both the space and the width are odd.
  const front = left === 0.5 ? (space >> 1) + (space & width & 1) : space * left;
  return fill.repeat(front) + text + fill.repeat(space - front);
}

function zeroFill(text: string, args: Arguments, work: Work): string {
  const [width] = bind('zfill', args, ['width']);
  const sign = /^[+-]/.test(text) ? text.charAt(0) : '';
  const wide = asInteger(width ?? fault('width is missing'), 'width') - sign.length;
  return sign + pad(text.slice(sign.length), wide, '0', 1, work);
}

/** Does the same as Jinja's filter `title`, which splits words differently from `str.title`: "They're". */
export function filterTitle(text: string, work: Work): string {
  work.spend(text.length);
  return text
    .split(/([-\s({[<]+)/)
    .map((word) => capitalize(word, work))
    .join('');
}

export function joinValues(sep: string, items: readonly Value[], work: Work): string {
  const texts = items.map((item) => toText(item, work));
  return joinAll(sep, texts, work);
}
