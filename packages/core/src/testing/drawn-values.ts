// Whether a parser read exactly the values that a text was drawn with: in order, for the right tool, under the right
// key, and no others.

import type { ParsedAnswer } from '../engine/parse.js';
import { pathOf, type ValueOf } from '../grammar/lower.js';
import { isObject, type JsonValue, type Tool } from '../model/index.js';
import { meaningsOf } from './drawn-value.js';

export interface DrawnValue {
  of: ValueOf;
  text: string;
}

/** One value that was read: all the arguments of a call, or one of them. */
interface Slot {
  tool: string;
  key?: string;
  value: JsonValue;
}

/** Describes a value that was drawn and not read, or read and not drawn. */
export function unreadValue(
  { calls, issues }: ParsedAnswer,
  tools: readonly Tool[],
  drawn: readonly DrawnValue[],
): string | undefined {
  // Of a duplicate the reader takes one and reports an issue; the comparison is skipped.
  if (issues.some(({ code }) => TWICE.has(code))) return undefined;
  const ids = new Set(calls.map(({ id }) => id));
  const wholes = new Set(drawn.filter(({ of }) => isWhole(of)).map(({ of }) => pathOf(of, tools)[0]));
  const isSchemaless = (name: string) => !tools.find((tool) => tool.name === name)?.parameters;
  const slots: Slot[] = calls.flatMap(({ name, input }) =>
    wholes.has(name) || (wholes.has(undefined) && isSchemaless(name))
      ? [{ tool: name, value: input }]
      : membersOf({ tool: name, value: input }),
  );
  for (const value of drawn) {
    const isId = value.of.root === undefined && ids.has(value.text);
    if (!isId && !take(value, pathOf(value.of, tools), slots))
      return `${pathOf(value.of, tools).join('.')} was written as ${JSON.stringify(value.text)} and not read`;
  }
  const left = slots.find(({ value }) => !isHollow(value));
  return left && `${JSON.stringify(left)} was read and not written`;
}

const TWICE = new Set(['duplicate-key', 'duplicate-id']);

/** Removes the slot of this value. False if there is none. */
function take({ of, text }: DrawnValue, [tool, key]: readonly string[], slots: Slot[]): boolean {
  const meanings = meaningsOf(of, text).map((meaning) => argumentsIn(meaning, of));
  if (isSpread(of, key) && isObject(meanings[0]))
    return Object.entries(meanings[0]).every(([name, value]) => takeOne([value], tool, name, slots, true));
  return takeOne(meanings, tool, key, slots, key === undefined);
}

/** f(**{…}): arguments under keys that no schema names. */
function isSpread({ style }: ValueOf, key: string | undefined): boolean {
  return style.type === 'python' && key === undefined;
}

function takeOne(
  meanings: readonly JsonValue[],
  tool: string | undefined,
  key: string | undefined,
  slots: Slot[],
  anyOrder: boolean,
): boolean {
  const fits = (slot: Slot) => isAt(slot, tool, key) && meanings.some((one) => isSame(slot.value, one));
  for (;;) {
    const at = slots.findIndex(fits);
    // A key that no schema names may be a number; JavaScript objects put such keys first.
    if (at === 0 || (at > 0 && anyOrder)) return slots.splice(at, 1).length > 0;
    const [first] = slots;
    if (key !== undefined || !first || typeof first.value !== 'object') return false;
    // The object was written member by member.
    slots.splice(0, 1, ...membersOf(first));
  }
}

function membersOf({ tool, value }: Slot): Slot[] {
  if (Array.isArray(value)) return value.map((item) => ({ tool, value: item }));
  return isObject(value) ? Object.entries(value).map(([key, member]) => ({ tool, key, value: member })) : [];
}

/** Whether a list or an object is empty all the way down: its tags alone write it. */
function isHollow(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every(isHollow);
}

/** Whether the value is all the arguments, or a whole call. Without a schema the arguments are any object. */
function isWhole(of: ValueOf): boolean {
  const { schema, root } = of;
  if (!isObject(schema) || isSpread(of, undefined)) return false;
  return root === undefined ? schema.type === 'object' : schema === root || keyOfArguments(of) !== undefined;
}

/** Gives the key of the arguments, where the value is a whole call. */
function keyOfArguments({ schema, root }: ValueOf): string | undefined {
  if (!isObject(schema) || !isObject(schema.properties)) return undefined;
  const isArguments = (one: JsonValue) =>
    root === undefined ? isObject(one) && one.type === 'object' : one === root;
  return Object.entries(schema.properties).find(([, one]) => isArguments(one))?.[0];
}

function argumentsIn(value: JsonValue, of: ValueOf): JsonValue {
  const key = keyOfArguments(of);
  return key !== undefined && isObject(value) ? (value[key] as JsonValue) : value;
}

function isAt(slot: Slot, tool: string | undefined, key: string | undefined): boolean {
  if (tool !== undefined && slot.tool !== tool) return false;
  return slot.key === undefined || key === undefined || slot.key === key;
}

function isSame(a: JsonValue, b: JsonValue): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => isSame(item, b[at] as JsonValue));
  if (!isObject(a) || !isObject(b)) return Object.is(a, b);
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key] as JsonValue, b[key] as JsonValue))
  );
}
