// The ways in which engines are told to think or not to.

import { fieldsOf, stringOf } from '../values.js';

/** Members of a request. What a chat template is told stands beside them, in `chat_template_kwargs`. */
export const thinkingKeys = ['reasoning_effort', 'enable_thinking', 'thinking'];

/** What the request says: to the template, by a switch, by a type, or by an effort. The first counts. */
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

/** Efforts that say no more than whether to think: these are what we write ourselves. */
export function isPlainEffort(effort: string | undefined): boolean {
  return effort === 'none' || effort === 'medium';
}
