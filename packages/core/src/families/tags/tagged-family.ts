// Family: tagged arguments, made from a declaration.
//
//   declaration ──> tags (template-tags.ts) ──> reader (tagged.ts), writer (tagged-calls.ts), rules (tagged-rules.ts)

import type { Spellings, TaggedCalls, TagPair } from '../../engine/declaration.js';
import type { Dropped } from '../../engine/dialect.js';
import type { MarkerSet } from '../../engine/markers.js';
import type { Mode, Reader } from '../../engine/reader.js';
import { type Family, listOf } from '../declared/family.js';
import { type EnvelopePlace, type EnvelopeSpelling, JsonEnvelope } from '../json/json-envelope.js';
import { NestedValue } from './nested-value.js';
import { taggedOpeners } from './tagged.js';
import { writeTaggedCalls } from './tagged-calls.js';
import { STRAY_THINK, type TaggedSpelling, type TagKind } from './tagged-spelling.js';
import {
  isNameInText,
  splitTemplate,
  type TagTemplate,
  templateHead,
  templateTags,
} from './template-tags.js';

export const taggedFamily: Family<TaggedCalls> = {
  traits: () => ({ ids: false, values: 'schema', streams: true }),
  markers: (calls) => [...(calls.namespace ? [calls.namespace] : []), ...headsOf(withNamespace(calls))],
  grammar: (declared, markers) => {
    const calls = withNamespace(declared);
    return { openers: taggedOpeners(spellingOf(calls, markers)), drop: strays(calls) };
  },
  writeCalls: (calls) => writeTaggedCalls(withNamespace(calls)),
};

function headsOf(calls: TaggedCalls): string[] {
  return [...new Set(templatesOf(calls).map(({ template }) => templateHead(template)))];
}

/** Puts the declared namespace token before every tag. */
export function withNamespace<Calls extends TaggedCalls>(calls: Calls): Calls {
  const { namespace, block, call, argument } = calls;
  if (!namespace) return calls;
  const prefixed = (pair: TagPair): TagPair => ({
    open: listOf(pair.open).map((tag) => namespace + tag),
    close: listOf(pair.close).map((tag) => namespace + tag),
  });
  return {
    ...calls,
    ...(block && { block: { ...block, ...prefixed(block) } }),
    call: { ...call, ...prefixed(call) },
    argument:
      'key' in argument
        ? { key: prefixed(argument.key), value: prefixed(argument.value) }
        : prefixed(argument),
  };
}

/** Lists every tag of a declaration. */
function templatesOf({ block, call, argument }: TaggedCalls): TagTemplate[] {
  const tags: TagTemplate[] = [];
  const add = (kind: TagKind, spellings: Spellings | undefined, owned = false) => {
    for (const template of listOf(spellings ?? []))
      if (template.trim() !== '') tags.push({ kind, template: template.trim(), owned });
  };
  add('block-open', block?.open);
  add('block-close', block?.close);
  for (const piece of piecesOf(call.before)) add('frame', piece);
  add('call-open', call.open);
  add('call-close', call.close);
  for (const piece of piecesOf(call.behind)) add('frame', piece);
  for (const open of listOf(call.open)) if (isNameInText(open)) add('frame', splitTemplate(open)[1]);
  if ('key' in argument) {
    add('key-open', argument.key.open);
    add('key-close', argument.key.close);
    add('value-open', argument.value.open);
    add('value-close', argument.value.close);
  } else {
    const owned = listOf(argument.close).some((close) => close.includes('{key}'));
    add('value-open', argument.open, owned);
    add('value-close', argument.close, owned);
  }
  return tags;
}

/** Gives a frame such as `<begin>function<sep>` as a whole, and each of its tags. */
function piecesOf(frame = ''): string[] {
  const whole = frame.trim();
  return [...new Set([whole, ...(whole.match(/<[^<>]*>/g) ?? [])])];
}

function spellingOf(calls: TaggedCalls, markers: MarkerSet): TaggedSpelling {
  const { block, bareCalls, lineLayout, pythonWords, cdata, jsonCalls, wrappers } = calls;
  const templates = templatesOf(calls);
  const firsts = [...new Set(templates.map(({ template }) => template.charAt(0)))].join('');
  const bare = block === undefined || bareCalls !== undefined;
  const openers = templates.filter(({ kind }) => kind === 'block-open' || (bare && kind === 'call-open'));
  const next = nextOfOpeners(openers);
  const nameInText = listOf(calls.call.open).some(isNameInText);
  return {
    tag: templateTags([...templates, ...strayThinks(firsts)]),
    opener: templateTags(openers),
    firsts,
    ...(next && { next }),
    markers,
    block: block !== undefined,
    ...(bareCalls && { bareCalls }),
    nameInText,
    ...(lineLayout && { lineLayout }),
    argumentLines: calls.layout?.argument?.includes('\n') ?? false,
    ...(pythonWords && { pythonWords }),
    ...(cdata && { cdata }),
    ...(jsonCalls && { jsonCall }),
    ...(calls.nested && {
      nested: calls.nested,
      nest: (own, leaf, back) => new NestedValue(own, leaf, back),
    }),
    ...(wrappers && { wrappers }),
    endsLostValue: nameInText ? ['call-open'] : ['block-open', 'call-open', 'value-open'],
  };
}

const JSON_CALL: EnvelopeSpelling = {
  keys: { name: ['name'], arguments: ['arguments', 'parameters'] },
  list: false,
};

/** Reads a whole call as JSON where a tag is expected. */
function jsonCall(reader: Reader, place: EnvelopePlace): Mode {
  return new JsonEnvelope(reader, JSON_CALL, place).read;
}

/** Lists tags of reasoning, which are skipped inside a call. */
function strayThinks(firsts: string): TagTemplate[] {
  if (!firsts.includes('<')) return [];
  return Object.keys(STRAY_THINK).map((template) => ({ kind: 'token', template, repair: 'stray-think' }));
}

function nextOfOpeners(openers: readonly TagTemplate[]): string[] | undefined {
  const pairs = openers.map(({ template }) => templateHead(template).slice(1, 3));
  return pairs.every((pair) => pair.length === 2) ? pairs : undefined;
}

/** Lists closers of the outermost element, which are dropped after a call. */
function strays({ block, call }: TaggedCalls): Dropped[] {
  const closers = [...listOf(block?.close ?? call.close), ...piecesOf(call.behind)];
  return closers
    .map((marker) => marker.trim())
    .filter((marker) => marker !== '')
    .map((marker) => ({ marker, repair: 'stray-closer' }));
}
