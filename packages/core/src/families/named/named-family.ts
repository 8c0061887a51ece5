// The family name, separator, JSON: what a declaration of it reads and writes.
//
//   <calls> <call> name <separator> {…} <call end> … <calls end>

import type { CallsDeclaration, NamedCalls } from '../../engine/declaration.js';
import type { CallContext, Dropped, Writer } from '../../engine/dialect.js';
import { callField } from '../../engine/message-text.js';
import type { ToolCall } from '../../model/index.js';
import { type Family, firstOf, listOf } from '../declared/family.js';
import { envelopeKeys } from '../json/json-family.js';
import { argumentsText } from '../writing/call-arguments.js';
import { shortId } from '../writing/short-id.js';
import { type NamedJson, namedJson } from './named-json.js';

export const namedFamily: Family<NamedCalls> = {
  traits: ({ id }) => ({ ids: idBefore(id) !== undefined, values: 'json', streams: true }),
  markers: ({ section, open, id, separator, close }) =>
    [
      ...listOf(section?.open),
      ...listOf(section?.close),
      ...listOf(open),
      ...(id && 'open' in id ? [id.open] : []),
      ...listOf(idBefore(id)),
      ...listOf(separator),
      ...listOf(close),
    ].filter((marker) => marker.trim().length > 2),
  grammar: (calls) => ({
    openers: namedJson(spellingOf(calls)),
    drop: [...listOf(calls.section?.close), ...listOf(calls.close)].map(
      (marker): Dropped => ({ marker, repair: 'stray-closer' }),
    ),
  }),
  writeCalls: (calls) => (out, given, context) => writeCalls(out, given, context, calls),
};

/** Gives the sign between the name of a call and its number, where calls are written with numbers. */
export function numberSign(calls: CallsDeclaration): string | undefined {
  const id = calls.family === 'named' ? calls.id : undefined;
  return id && 'index' in id ? firstOf(id.index) : undefined;
}

/** Gives how an id is written after the name of its call, if it is. */
export function writtenId(calls: CallsDeclaration): { open: string; letters: number } | undefined {
  const id = calls.family === 'named' ? calls.id : undefined;
  return id && 'open' in id && id.letters ? { open: id.open, letters: id.letters } : undefined;
}

/** Gives the marker between an id and the name, where the id comes before the name. */
function idBefore(id: NamedCalls['id']): string | undefined {
  return id && 'before' in id ? id.before : undefined;
}

function spellingOf(calls: NamedCalls): NamedJson {
  const { section, id, list, fence } = calls;
  return {
    section: section && { open: listOf(section.open), close: listOf(section.close) },
    open: listOf(calls.open),
    prefix: listOf(calls.prefix),
    index: id && 'index' in id ? listOf(id.index) : [],
    idOpen: id && 'open' in id ? id.open : undefined,
    idBefore: idBefore(id),
    separator: listOf(calls.separator),
    close: listOf(calls.close),
    fence,
    list: list && { open: '', close: [], list: true, keys: envelopeKeys(list) },
  };
}

// --- what is around a call -----------------------------------------------------------------------------

interface NamedLayout {
  /** Around all calls. */
  open: string;
  close: string;
  /** The text before the id of a call, where the id comes before the name. */
  beforeId: string | undefined;
  /** The text before the id of a call and its length, where it is written after the name. */
  idBehind: { open: string; letters: number } | undefined;
  /** The text before the name, between name and arguments, and after the arguments. */
  before: string;
  middle: (at: number) => string;
  behind: string;
}

export function layoutOf(calls: NamedCalls): NamedLayout {
  const { section, open, prefix, id, separator, close, fence } = calls;
  const sign = numberSign(calls);
  const opener = firstOf(open);
  const marker = idBefore(id);
  const between = firstOf(separator) + (fence ? '```json\n' : '');
  return {
    open: firstOf(section?.open),
    close: firstOf(section?.close),
    beforeId: marker === undefined ? undefined : opener,
    idBehind: writtenId(calls),
    before: (marker ?? opener) + firstOf(prefix),
    middle: (at) => (sign === undefined ? between : `${sign}${at}${between}`),
    behind: (fence ? '\n```' : '') + firstOf(close),
  };
}

function writeCalls(
  out: Writer,
  given: readonly ToolCall[],
  { afterText, numbers }: CallContext,
  calls: NamedCalls,
): void {
  if (given.length === 0) return;
  const { open, close, beforeId, idBehind, before, middle, behind } = layoutOf(calls);
  out.ours((afterText ? (calls.before ?? '\n') : '') + open);
  for (const [at, call] of given.entries()) {
    if (at > 0) out.ours(calls.between ?? '');
    if (beforeId !== undefined) out.ours(beforeId).outside(call.id, callField(call));
    out.ours(before).outside(call.name, callField(call));
    if (idBehind) out.ours(idBehind.open + shortId(call.id, idBehind.letters));
    out
      .ours(middle(numbers?.[at] ?? at))
      .jsonText(argumentsText(call), callField(call))
      .ours(behind);
  }
  out.ours(close);
}
