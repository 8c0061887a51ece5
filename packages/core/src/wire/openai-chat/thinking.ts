// The members by which engines turn thinking on or off.

import { fieldsOf, stringOf } from '../values.js';

/** Members of a request. Those for the chat template are in `chat_template_kwargs`. */
export const thinkingKeys = ['reasoning_effort', 'enable_thinking', 'thinking'];

/**
 * Whether the request asks for thinking: in the template's arguments, by a switch, by a type, or by an effort. The
 * first counts.
 */
export function decodeThinking(request: unknown): boolean | undefined {
  const fields = fieldsOf(request);
  const kwargs = kwargsThinking(fields?.get('chat_template_kwargs'));
  if (kwargs !== undefined) return kwargs.value;
  const plain = fields?.get('enable_thinking') ?? fields?.get('thinking');
  if (typeof plain === 'boolean') return plain;
  const type = stringOf(request, 'thinking', 'type');
  if (type !== undefined) return type !== 'disabled';
  const effort = stringOf(request, 'reasoning_effort');
  return effort === undefined ? undefined : effort !== 'none';
}

export function kwargsThinking(kwargs: unknown): { key: string; value: boolean } | undefined {
  const fields = fieldsOf(kwargs);
  for (const key of ['enable_thinking', 'thinking']) {
    const value = fields?.get(key);
    if (typeof value === 'boolean') return { key, value };
  }
  return undefined;
}

/** Gives an effort, unless it only turns thinking off. */
export function effortIn(effort: string | undefined): string | undefined {
  return effort === 'none' ? undefined : effort;
}

/** Gives another API's effort in a word of this one. */
export function effortWord(effort: string): string {
  return effort === 'max' ? 'high' : effort;
}
