// Writes objects and lists as elements in elements:
//
//   {"items": [{"sku": "A-1"}]}   ──>   <items><item><sku>A-1</sku></item></items>
//
// Only where the reader gets the same value back. Any other value is written as JSON in its element.

import type { Writer } from '../../engine/dialect.js';
import { type ExactValue, stringifyJson } from '../../model/index.js';
import { acceptedTypes, itemSchema, type OptionalSchema, propertySchema } from '../../schema/schema.js';
import { readsAsString } from '../writing/call-arguments.js';
import { isRecord, membersOf } from '../writing/tool-text.js';

export interface ElementTags {
  open: string;
  close: string;
  /** The element name of a list's items. */
  item: string;
  /** Whether an element can have this name. */
  holds: (key: string) => boolean;
}

export interface NestedPlace {
  schema: OptionalSchema;
  root: OptionalSchema;
}

export function writeNested(out: Writer, value: ExactValue, field: string, tags: ElementTags): void {
  if (typeof value === 'string') out.outside(value, field);
  else if (Array.isArray(value) && value.length > 0)
    for (const item of value) writeElement(out, tags.item, item, field, tags);
  else if (isRecord(value) && membersOf(value).length > 0)
    for (const [key, member] of membersOf(value)) writeElement(out, key, member, field, tags);
  else out.json(value, field);
}

function writeElement(out: Writer, key: string, value: ExactValue, field: string, tags: ElementTags): void {
  const [before = '', behind = ''] = tags.open.split('{key}');
  const [closes = '', end = ''] = tags.close.split('{key}');
  out.ours(before).outside(key, field).ours(behind);
  writeNested(out, value, field, tags);
  out.ours(closes).outside(key, field).ours(end);
}

/** Whether the reader gets the same value back from elements. */
export function elementsHold(value: ExactValue, place: NestedPlace, tags: ElementTags): boolean {
  const types = acceptedTypes(place.schema, place.root);
  if (typeof value === 'string') return (types?.has('string') ?? true) && readsAsString(value, types);
  const list = Array.isArray(value);
  const members = list
    ? value.map((item) => [tags.item, item] as const)
    : isRecord(value)
      ? membersOf(value)
      : [];
  if (members.length === 0) return !readsAsString(stringifyJson(value, 'python'), types);
  if (readsAsList(types, members[0]?.[0] === tags.item) !== list) return false;
  return members.every(([key, member]) => {
    const schema = list
      ? itemSchema(place.schema, place.root)
      : propertySchema(place.schema, key, place.root);
    // A member that the schema does not name is JSON, as a grammar writes it.
    if (place.root !== undefined && schema === undefined) return false;
    return (list || tags.holds(key)) && elementsHold(member, { schema, root: place.root }, tags);
  });
}

/** Whether the reader takes a structure for a list or for an object; undefined where it takes it for text. */
function readsAsList(types: ReturnType<typeof acceptedTypes>, firstIsItem: boolean): boolean | undefined {
  const object = types?.has('object') ?? true;
  const array = types?.has('array') ?? true;
  if (!object && !array) return undefined;
  return object === array ? firstIsItem : array;
}
