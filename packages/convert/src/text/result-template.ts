// How a dialect spells results, learnt from its renderer: results of known words are rendered, and what stands around
// the words is the template.
//
//   ## Return of functions.NAME:0\nOUTPUT\n## Return of functions.NAME:1\nOUTPUT
//   ^ before     ^ a name      ^ ^ output ^ before

import {
  type Dialect,
  hasMarker,
  type Span,
  type ToolCall,
  type ToolResult,
  Writer,
} from '@dragoman/core/internal';

export interface ResultTemplate {
  /** For each result, by its place: the place may be written, too. */
  each: readonly (readonly ResultSlot[])[];
  /** What stands behind the last one. */
  close: string;
  /** A marker begins them: text from outside begins so never. */
  isMarked: boolean;
  /** A marker, or the end of JSON, stands between two: no text of a tool can be taken for it. */
  isDivided: boolean;
}

export interface ResultSlot {
  /** The words before it. */
  before: string;
  says: 'text' | 'name' | 'callId';
  /** It is a string in JSON. */
  json: boolean;
}

// Private-use characters: no dialect cuts or changes them, and none writes them.
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

/** For at least so many results. */
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

/** Quotes that were written with the text, and not around it, are those of JSON. */
function isQuoted(text: string, spans: readonly Span[], at: number): boolean {
  const isOutside = spans.some(
    ({ start, end, origin }) => origin === 'outside' && start < at && at + 1 < end,
  );
  return isOutside && text.charAt(at - 1) === '"' && text.charAt(at + 1) === '"';
}
