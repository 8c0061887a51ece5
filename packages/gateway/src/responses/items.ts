// The items of a Responses body, as far as their place and their ids matter.

import { isObject } from '@dragoman/core/internal';

export type Body = Record<string, unknown>;

/** A reference may leave its type out: then it has an id and neither a type nor a role. */
export function isReference(item: unknown): item is Body {
  if (!isObject(item)) return false;
  if (item.type === 'item_reference') return true;
  return (item.type ?? undefined) === undefined && item.role === undefined && item.id !== undefined;
}

/** The input as items. Undefined if it is neither text nor a list, which is not for us to judge. */
export function itemsOf(input: unknown): unknown[] | undefined {
  if (input === undefined || input === null) return [];
  if (typeof input !== 'string') return Array.isArray(input) ? input : undefined;
  return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }];
}

/** Whether it is a call that was cut off: it was never to be run, so nobody can say what came of it. */
export function isCutCall(item: unknown): boolean {
  return isObject(item) && item.type === 'function_call' && item.status === 'incomplete';
}

export function idOf(item: unknown): string | undefined {
  return isObject(item) && typeof item.id === 'string' ? item.id : undefined;
}

const prefixes: ReadonlyMap<unknown, string> = new Map([
  ['message', 'msg'],
  ['reasoning', 'rs'],
  ['function_call', 'fc'],
  ['function_call_output', 'fco'],
]);

/**
 * The input of a response, as it is listed: every item has an id, its own or one that says where it stands. Those
 * are not in what is kept, since models behind us may refuse ids that they did not make.
 */
export function listedItems(input: readonly unknown[], responseId: string): Body[] {
  return input.filter(isObject).map((item, at) => {
    const type = item.type ?? 'message';
    return { ...item, type, id: idOf(item) ?? `${prefixes.get(type) ?? 'item'}_${at}_${responseId}` };
  });
}

/** The response that an id made by `listedItems` belongs to. */
export function responseOfItem(id: string): string | undefined {
  const [prefix, at, ...rest] = id.split('_');
  if (prefix === undefined || at === undefined || rest.length === 0) return undefined;
  return String(Number.parseInt(at, 10)) === at ? rest.join('_') : undefined;
}
