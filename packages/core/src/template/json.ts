// `tojson` of transformers: Python's json.dumps with `ensure_ascii=False` as the default.

import { floatText } from '../text/number-literal.js';
import {
  type Arguments,
  asInteger,
  asString,
  bind,
  compare,
  Digits,
  fault,
  isTrue,
  itemsOf,
  Tuple,
  typeName,
  type Value,
} from './python.js';
import type { Work } from './work.js';

interface Style {
  ascii: boolean;
  indent: string | undefined;
  item: string;
  key: string;
  sorted: boolean;
}

export function toJson(value: Value, args: Arguments, work: Work): string {
  return write(value, readStyle(args, work), '\n', work);
}

function readStyle(args: Arguments, work: Work): Style {
  const names = ['ensure_ascii', 'indent', 'separators', 'sort_keys'];
  const [ascii = false, indent = null, separators = null, sorted = false] = bind('tojson', args, names);
  const [item, key] =
    separators === null
      ? [indent === null ? ', ' : ',', ': ']
      : itemsOf(separators, work).map((text) => asString(text, 'a separator'));
  if (item === undefined || key === undefined) fault('tojson: separators must be two strings');
  return { ascii: isTrue(ascii), indent: indentText(indent, work), item, key, sorted: isTrue(sorted) };
}

function indentText(indent: Value, work: Work): string | undefined {
  if (indent === null) return undefined;
  if (typeof indent === 'string') return indent;
  const width = Math.max(0, asInteger(indent, 'indent'));
  work.text(width);
  return ' '.repeat(width);
}

/** Writes a value. `line` is the line break and the indent of its line. */
function write(value: Value, style: Style, line: string, work: Work): string {
  work.spend(2);
  if (value === null) return 'null';
  if (typeof value === 'string') return writeString(value, style, work);
  if (typeof value === 'number') return writeFloat(value);
  if (value instanceof Digits) return value.text;
  if (typeof value === 'boolean' || typeof value === 'bigint') return `${value}`;
  if (Array.isArray(value)) return writeList(value, style, line, work);
  if (value instanceof Tuple) return writeList(value.items, style, line, work);
  if (value instanceof Map) return writeDict(value, style, line, work);
  return fault(`Object of type ${typeName(value)} is not JSON serializable`);
}

function writeList(items: readonly Value[], style: Style, line: string, work: Work): string {
  const inner = line + (style.indent ?? '');
  const lines = items.map((item) => write(item, style, inner, work));
  return wrap('[]', lines, style, line, work);
}

function writeDict(map: ReadonlyMap<Value, Value>, style: Style, line: string, work: Work): string {
  const inner = line + (style.indent ?? '');
  const entries = [...map];
  if (style.sorted) entries.sort(([a], [b]) => compare(a, b, work));
  const lines = entries.map(
    ([key, value]) => writeString(keyText(key), style, work) + style.key + write(value, style, inner, work),
  );
  return wrap('{}', lines, style, line, work);
}

function wrap(brackets: string, lines: string[], style: Style, line: string, work: Work): string {
  if (lines.length === 0) return brackets;
  const [open, close] = brackets;
  if (style.indent === undefined) return open + lines.join(style.item) + close;
  const inner = line + style.indent;
  work.text(lines.length * (inner.length + style.item.length));
  return open + inner + lines.join(style.item + inner) + line + close;
}

function keyText(key: Value): string {
  if (typeof key === 'string') return key;
  if (key === null) return 'null';
  if (typeof key === 'number') return writeFloat(key);
  if (typeof key === 'boolean' || typeof key === 'bigint') return `${key}`;
  return fault(`keys must be str, int, float, bool or None, not ${typeName(key)}`);
}

function writeFloat(value: number): string {
  if (Number.isFinite(value)) return floatText(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
}

function writeString(text: string, style: Style, work: Work): string {
  work.text(text.length);
  const json = JSON.stringify(text);
  if (!style.ascii) return json;
  return json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
