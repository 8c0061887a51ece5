// Reasoning that a client keeps for the server, in a form that only the server can read (`encrypted_content`).

import { isObject, type ModelRequest } from '../../model/index.js';
import { listOf } from '../values.js';
import type { OpenSealed } from '../wire.js';

/** The word of `include` that asks for it. */
const ASKED = 'reasoning.encrypted_content';

export function asksSealed({ extra }: ModelRequest): boolean {
  return listOf(extra, 'include').includes(ASKED);
}

/**
 * Puts reasoning in the place of its sealed form. Forms of other servers stay: the upstream may be theirs. Of a broken
 * one only the summary is left.
 */
export async function openSealed(body: unknown, open: OpenSealed): Promise<unknown> {
  if (!isObject(body) || !Array.isArray(body.input) || !body.input.some(isSealed)) return body;
  return { ...body, input: await Promise.all(body.input.map((item) => opened(item, open))) };
}

interface SealedItem extends Record<string, unknown> {
  encrypted_content: string;
}

function isSealed(item: unknown): item is SealedItem {
  return isObject(item) && item.type === 'reasoning' && typeof item.encrypted_content === 'string';
}

async function opened(item: unknown, open: OpenSealed): Promise<unknown> {
  const opening = isSealed(item) ? open(item.encrypted_content) : undefined;
  if (!isSealed(item) || opening === undefined) return item;
  const text = await opening;
  const { encrypted_content: _, ...rest } = item;
  return text === undefined ? rest : { ...rest, content: [{ type: 'reasoning_text', text }] };
}
