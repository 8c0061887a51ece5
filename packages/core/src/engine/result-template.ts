// Learns from a dialect's renderer how it spells results: results with placeholder texts are rendered, and the text
// around the placeholders is the template.
//
//   ## Return of functions.NAME:0\nOUTPUT\n## Return of functions.NAME:1\nOUTPUT
//   ^ before     ^ a name      ^ ^ output ^ before

import type { ToolCall, ToolResult } from '../model/index.js';
import type { Dialect } from './dialect.js';
import { hasMarker } from './markers.js';
import { type Span, Writer } from './writer.js';

export interface ResultTemplate {
  /** The slots of each result, by its index, which may be written, too. */
  each: readonly (readonly ResultSlot[])[];
  /** The text after the last result. */
  close: string;
  /** Whether a marker begins the results: no text from outside can begin so. */
  isMarked: boolean;
  /** Whether a marker, or the end of JSON, separates two results: no output of a tool can contain it. */
  isDivided: boolean;
}

export interface ResultSlot {
  /** The text before the slot. */
  before: string;
  says: 'text' | 'name' | 'callId';
  /** Whether the value is a JSON string. */
  json: boolean;
}

// Private-use characters as placeholders: no dialect trims, changes or writes them.
const NAME = '\uE0C3';
const ID = '\uE0C4';
const OUTPUT = '\uE0C5';
const PLACES = /[\uE0C3-\uE0C5]/g;
const says = new Map<string, ResultSlot['says']>([
  [NAME, 'name'],
  [ID, 'callId'],
  [OUTPUT, 'text'],
]);

const FIRST = 4;
const templates = new WeakMap<Dialect, ResultTemplate>();

/** Gives a template for at least `count` results. */
export function resultTemplate(dialect: Dialect, count = 1): ResultTemplate {
  const known = templates.get(dialect);
  if (known && known.each.length >= count) return known;
  const template = learn(dialect, Math.max(FIRST, 2 * count));
  templates.set(dialect, template);
  return template;
}

function learn(dialect: Dialect, count: number): ResultTemplate {
  const out = new Writer(dialect.markers);
  const call: ToolCall = { type: 'tool-call', id: ID, name: NAME, input: {} };
  const result: ToolResult = { type: 'tool-result', callId: ID, name: NAME, output: OUTPUT };
  dialect.render.results(out, Array(count).fill(result), { calls: Array(count).fill(call) });
  const { slots, close } = slotsOf(out);
  const size = slots.length / count;
  const each = Array.from({ length: count }, (_, at) => slots.slice(at * size, (at + 1) * size));
  const next = each[1]?.[0];
  return {
    each,
    close,
    isMarked: hasMarker(each[0]?.[0]?.before ?? '', dialect.markers),
    isDivided: each[0]?.at(-1)?.json === true || hasMarker(next?.before ?? '', dialect.markers),
  };
}

function slotsOf({ text, spans }: Writer): { slots: ResultSlot[]; close: string } {
  const slots: ResultSlot[] = [];
  let from = 0;
  for (const { index } of text.matchAll(PLACES)) {
    const json = isQuoted(text, spans, index);
    const before = text.slice(from, json ? index - 1 : index);
    slots.push({ before, says: says.get(text.charAt(index)) ?? 'text', json });
    from = index + (json ? 2 : 1);
  }
  return { slots, close: text.slice(from) };
}

/**
 * Whether the quotes around the placeholder are those of a JSON string: they were written with the text, not around it.
 */
function isQuoted(text: string, spans: readonly Span[], at: number): boolean {
  const isOutside = spans.some(
    ({ start, end, origin }) => origin === 'outside' && start < at && at + 1 < end,
  );
  return isOutside && text.charAt(at - 1) === '"' && text.charAt(at + 1) === '"';
}
