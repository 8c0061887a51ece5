// Writes JSON in several lines, with an indent. Apart from the usual JSON on one line, so that a page that only reads calls
// does not load it.

import { type ExactValue, exactEntries, type JsonValue } from './json.js';
import {
  type JsonStructure,
  type JsonStyle,
  type Layout,
  layoutOf,
  spaced,
  writeJson,
} from './stringify-json.js';

/** Writes JSON as `stringifyJson` does. An indent of 0 is no line breaks to JavaScript, line breaks to Python. */
export function indentJson(
  value: ExactValue | JsonValue,
  indent: number,
  style: JsonStyle = 'compact',
): string {
  const layout = layoutOf(style);
  return writeJson(value, style === 'compact' && indent < 1 ? layout : indented(layout, indent));
}

/** Writes JSON as `writeSpaced` does. */
export function indentSpaced(value: ExactValue, indent: number): string {
  return writeJson(value, indented(spaced, indent));
}

function indented({ number }: Layout, indent: number): Layout {
  const step = ' '.repeat(Math.max(0, indent));
  return {
    ...{ number, colon: ': ', comma: ',', keys: spaced.keys },
    lines: (value, layout, margin) => writeLines(value, layout, margin, step),
  };
}

function writeLines(value: JsonStructure, layout: Layout, margin: string, step: string): string {
  const inner = margin + step;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const items = Array.isArray(value)
    ? value.map((item) => writeJson(item, layout, inner))
    : exactEntries(value).map(
        ([key, member]) => JSON.stringify(key) + layout.colon + writeJson(member, layout, inner),
      );
  if (items.length === 0) return `${open}${close}`;
  return `${open}\n${inner}${items.join(`${layout.comma}\n${inner}`)}\n${margin}${close}`;
}
