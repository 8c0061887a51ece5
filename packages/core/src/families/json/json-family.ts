// The family JSON in markers: what a declaration of it reads and writes.
//
//   <tool_call> {"name": …, "arguments": {…}} </tool_call>      shape: object
//   <tool_calls> [{…}, {…}] </tool_calls>                       shape: list

import type { JsonCalls, Spellings } from '../../engine/declaration.js';
import type { Dropped, Opener } from '../../engine/dialect.js';
import { type MarkerSet, matchLiteral, NO, NOT_YET } from '../../engine/markers.js';
import { type Family, listOf } from '../declared/family.js';
import { ExpressionBlock, type ExpressionSpelling } from '../expressions/expression-block.js';
import { nameLength } from '../expressions/expression-names.js';
import { type BareHead, saidMarkers, unbreakOpener } from './bare-text.js';
import type { EnvelopeKeys } from './json-envelope.js';
import { FENCE, type JsonInMarkers } from './json-in-markers.js';
import { writeJsonCalls } from './json-writing.js';
import { bareJson, headKeys, jsonOpeners } from './unmarked-json.js';

const NAMES = ['name', 'tool_name', 'function_name', 'tool', 'function'];
const ARGUMENTS = ['arguments', 'parameters', 'input', 'params', 'args'];
const IDS = ['id', 'tool_call_id', 'call_id'];

export const jsonFamily: Family<JsonCalls> = {
  traits: ({ keys }) => {
    const order = Object.keys(keys === 'name-is-key' ? {} : keys);
    // A call-start event carries the id. Where the id is written last, no arguments can stream before it.
    const streams = order.indexOf('id') < order.indexOf('arguments') || !order.includes('id');
    return { ids: order.includes('id'), values: 'json', streams };
  },
  markers: (calls) => [...opensOf(calls), ...listOf(calls.close)].filter(acts),
  grammar(calls, markers) {
    const spelling = spellingOf(calls);
    const heads = headsOf(calls);
    const closers = listOf(calls.close).filter(acts);
    return {
      openers: [
        ...(heads.length > 0 ? [unbreakOpener(heads)] : []),
        ...(calls.expression ? opensOf(calls).map((open) => expressionOpener(open, calls, markers)) : []),
        ...jsonOpeners(spelling),
        ...(calls.bare ? [bareJson(spelling, calls.bare)] : []),
      ],
      drop: closers.map((marker): Dropped => ({ marker, repair: 'stray-closer' })),
    };
  },
  said(calls, markers: MarkerSet) {
    const heads = headsOf(calls);
    return heads.length > 0 ? saidMarkers(markers, heads) : undefined;
  },
  writeCalls:
    (calls) =>
    (out, given, { afterText }) =>
      writeJsonCalls(out, given, afterText, calls),
};

/** Opens at a marker with `name.call(` behind it. */
function expressionOpener(open: string, { expression = '' }: JsonCalls, markers: MarkerSet): Opener {
  const spelling: ExpressionSpelling = {
    open,
    close: [],
    style: 'python',
    several: 'lines',
    prefix: '',
    suffix: expression,
    quote: undefined,
    firsts: markers.firsts,
    brokenTail: markers.matchTail,
  };
  return {
    firsts: open.charAt(0),
    next: [open.slice(1, 3)],
    match(text, at, ended) {
      const length = matchLiteral(text, at, open, ended);
      if (length <= 0) return length;
      const name = at + length;
      const end = name + nameLength(text, name);
      if (end >= text.length) return ended ? NO : NOT_YET;
      return text.slice(name, end).endsWith(expression) && text.charAt(end) === '(' ? length : NO;
    },
    open: (reader, hold) => new ExpressionBlock(spelling, hold).open(reader),
  };
}

function spellingOf(calls: JsonCalls): JsonInMarkers {
  return {
    open: opensOf(calls),
    close: listOf(calls.close),
    list: calls.shape === 'list' && calls.wrapper === undefined,
    several: calls.shape === 'objects',
    keys: envelopeKeys(calls.keys),
    nameIsKey: calls.keys === 'name-is-key',
    wrapper: calls.wrapper,
    python: calls.python,
  };
}

function opensOf({ open }: JsonCalls): readonly string[] {
  return listOf(open).filter((marker) => marker !== '');
}

/** Lists the heads that begin a call without a marker. */
function headsOf(calls: JsonCalls): BareHead[] {
  const keys = headKeys(envelopeKeys(calls.keys));
  const fences = opensOf(calls).filter((open) => open.startsWith(FENCE));
  const heads = fences.map((before): BareHead => ({ before, keys, where: 'line' }));
  return calls.bare ? [...heads, { before: '', keys, where: calls.bare }] : heads;
}

export function envelopeKeys(keys: JsonCalls['keys']): EnvelopeKeys {
  if (keys === 'name-is-key') return { name: NAMES, arguments: ARGUMENTS };
  const { id } = keys;
  return {
    name: withOthers(keys.name, NAMES),
    arguments: withOthers(keys.arguments, ARGUMENTS),
    ...(id !== undefined && { id: withOthers(id, IDS) }),
    own: [...listOf(keys.name), ...listOf(keys.arguments)],
  };
}

/** Lists the dialect's own spellings first, then those that models write by habit. */
function withOthers(own: Spellings, others: readonly string[]): string[] {
  return [...new Set([...listOf(own), ...others])];
}

/** Whether the string is a marker. Code fences and strings of one or two characters are not: they occur in any text. */
function acts(marker: string): boolean {
  return marker.length > 2 && !marker.startsWith(FENCE);
}
