// A draft as the body of a request, for one of the APIs people speak. Their writers are loaded when they are needed.

import { type ApiName, acceptConversation, UsageError } from '@dragoman/core';
import { type Draft, toRequest } from './draft.js';

export const apis: readonly (readonly [ApiName, string])[] = [
  ['openai-chat', 'OpenAI Chat'],
  ['anthropic-messages', 'Anthropic Messages'],
  ['openai-responses', 'OpenAI Responses'],
];

/** JSON text, or why there is none. */
export async function writeRequest(
  draft: Draft,
  api: ApiName,
): Promise<{ text: string } | { problem: string }> {
  const made = toRequest(draft);
  if ('problem' in made) return { problem: `${made.problem.path}: ${made.problem.message}` };
  const { wireOf } = await import('@dragoman/core/wire');
  try {
    const conversation = acceptConversation(made.request);
    const body = wireOf(api).encodeRequest({
      model: 'your-model',
      conversation,
      settings: {},
      stream: false,
    });
    return { text: JSON.stringify(body, null, 2) };
  } catch (error) {
    if (error instanceof UsageError) return { problem: error.message };
    throw error;
  }
}
