// Writes a draft as the body of a request to one of the served APIs, which are loaded when they are needed.

import { acceptConversation, UsageError } from '@dragoman/core';
import type { Wire } from '@dragoman/core/wire';
import { type Draft, toRequest } from './draft.js';

export async function servedApis(): Promise<readonly Wire[]> {
  const { wires } = await import('@dragoman/core/wire');
  return wires.filter(({ served }) => served);
}

/** Gives JSON text, or the problem. */
export function writeRequest(draft: Draft, api: Wire): { text: string } | { problem: string } {
  const made = toRequest(draft);
  if ('problem' in made) return { problem: `${made.problem.path}: ${made.problem.message}` };
  try {
    const conversation = acceptConversation(made.request);
    const body = api.encodeRequest({ model: 'your-model', conversation, settings: {}, stream: false });
    return { text: JSON.stringify(body, null, 2) };
  } catch (error) {
    if (error instanceof UsageError) return { problem: error.message };
    throw error;
  }
}
