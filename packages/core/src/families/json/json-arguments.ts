// Reads the arguments of a call from the shapes models use, when they are complete: beside the name, in a string, in a
// list.

import type { Reader } from '../../engine/reader.js';
import { isObject } from '../../model/index.js';
import { schemaHint } from '../../schema/coerce.js';
import { JsonReader, readJson, type ValueHint } from '../../text/json.js';

/** A member of a call that is neither its name nor its arguments. */
export interface RestMember {
  key: string;
  json: string;
}

/** Gives arguments written beside the name, if the tool declares every one of them. */
export function flatArguments(reader: Reader, rest: readonly RestMember[]): string {
  const properties = propertiesOf(reader);
  const flat = rest.length > 0 && rest.every(({ key }) => Object.hasOwn(properties, key));
  reader.repair(flat ? 'flat-arguments' : 'missing-arguments');
  if (!flat) return '{}';
  return `{${rest.map(({ key, json }) => `${JSON.stringify(key)}:${json}`).join(',')}}`;
}

function propertiesOf(reader: Reader): object {
  const schema = reader.call?.tool?.parameters;
  return isObject(schema) && isObject(schema.properties) ? schema.properties : {};
}

/** Gives arguments from a JSON string that holds them. */
export function argumentsInString(reader: Reader, json: string): string | undefined {
  const text = JSON.parse(json) as string;
  const inner = readJson(text.trim() === '' ? '{}' : text, { maxDepth: reader.limits.depth });
  if (!inner?.json.startsWith('{')) return undefined;
  reader.repair('arguments-as-string');
  for (const { key } of inner.duplicates) reader.duplicateKey(key);
  return inner.json;
}

/** Gives the reader of the open call's arguments what the schema requires, where strings are coerced. */
export function argumentHint({ setup, call }: Reader): ValueHint | undefined {
  const hint = setup.coerceStrings ? schemaHint(call?.tool?.parameters, setup.coerceJson) : undefined;
  // Arguments as a whole in a string are another mistake, with a repair of its own.
  return hint && { property: hint.property, item: hint.item };
}

/** Applies the tool's schema to arguments that were held because they came before the tool's name. */
export function coerced(reader: Reader, json: string): string {
  const hint = argumentHint(reader);
  const read = hint && readJson(json, { hint });
  for (const { code } of read ? read.repairs : []) reader.repair(code);
  return read ? read.json : json;
}

/** Gives arguments from [{"name": "location", "parameter": "Beijing"}], as the alkaid seed's own examples have them. */
export function argumentsInList(reader: Reader, json: string): string | undefined {
  if (!json.startsWith('[')) return undefined;
  const members: string[] = [];
  const list = JSON.parse(json) as unknown[];
  const texts = [...memberTexts(json)].map(({ text }) => text.replace(/^,/, ''));
  for (const [i, item] of list.entries()) {
    if (!isObject(item) || typeof item.name !== 'string') {
      if (list.length !== 1 || !isObject(item)) return undefined;
      reader.repair('arguments-as-list');
      return texts[i];
    }
    const key = ['parameter', 'value'].find((candidate) => Object.hasOwn(item, candidate));
    if (key === undefined) return undefined;
    const value = [...memberTexts(texts[i] as string)].findLast((member) => member.key === key);
    members.push(`${JSON.stringify(item.name)}:${value?.text ?? 'null'}`);
  }
  reader.repair('arguments-as-list');
  return `{${members.join(',')}}`;
}

/** Gives the members of an object or an array as text, so that numbers keep their digits. */
function* memberTexts(json: string): Generator<{ key: string | undefined; text: string }> {
  const reader = new JsonReader();
  reader.watch = 1;
  for (let at = 0; !reader.done; ) {
    at = reader.read(json, at, true);
    const stop = reader.nextStop();
    const text = reader.take();
    if (!stop) return;
    if (stop.type === 'end' && stop.depth === 1) yield { key: stop.key, text };
  }
}
