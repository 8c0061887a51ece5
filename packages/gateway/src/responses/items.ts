// The items of a Responses body: references, ids, and which response an item belongs to.

import { isObject } from '@dragoman/core/internal';

export type Body = Record<string, unknown>;

/** Whether an item is a reference. It may leave its type out: then it has an id and neither a type nor a role. */
export function isReference(item: unknown): item is Body {
  if (!isObject(item)) return false;
  if (item.type === 'item_reference') return true;
  return (item.type ?? undefined) === undefined && item.role === undefined && item.id !== undefined;
}

/** Gives the input as items. Undefined if it is neither text nor a list, which the decoder reports. */
export function itemsOf(input: unknown): unknown[] | undefined {
  if (input === undefined || input === null) return [];
  if (typeof input !== 'string') return Array.isArray(input) ? input : undefined;
  return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }];
}

/** Whether it is a call that was cut off: it was not delivered, so it will never have a result. */
export function isCutCall(item: unknown): boolean {
  return isObject(item) && calls.includes(item.type) && item.status === 'incomplete';
}

const calls: readonly unknown[] = ['function_call', 'custom_tool_call'];

export function idOf(item: unknown): string | undefined {
  return isObject(item) && typeof item.id === 'string' ? item.id : undefined;
}

const prefixes: ReadonlyMap<unknown, string> = new Map([
  ['message', 'msg'],
  ['reasoning', 'rs'],
  ['function_call', 'fc'],
  ['function_call_output', 'fco'],
  ['custom_tool_call', 'ctc'],
  ['custom_tool_call_output', 'ctco'],
]);

/**
 * Gives the input items of a response as they are listed: each with its own id, or one made of its index. Made ids are
 * not stored, since upstreams may refuse ids that they did not make.
 */
export function listedItems(input: readonly unknown[], responseId: string): Body[] {
  return input.filter(isObject).map((item, at) => {
    const type = item.type ?? 'message';
    return { ...item, type, id: idOf(item) ?? `${prefixes.get(type) ?? 'item'}_${at}_${responseId}` };
  });
}

/** Gives the id of the response to which an id made by `listedItems` belongs. */
export function responseOfItem(id: string): string | undefined {
  const [prefix, at, ...rest] = id.split('_');
  if (prefix === undefined || at === undefined || rest.length === 0) return undefined;
  return String(Number.parseInt(at, 10)) === at ? rest.join('_') : undefined;
}
