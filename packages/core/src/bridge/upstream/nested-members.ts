// Members of messages, their parts and tools that only the client's API knows. An upstream that is asked in other words
// does not get them, and the report lists each once: `text.cache_control`, `message.name`.

import type { Extra, ModelRequest } from '../../model/index.js';

/** Members that say nothing to a model, or that are read elsewhere. */
const silent = new Set(['dragoman:notes', 'id', 'status', 'type', 'role', 'strict']);

export function nestedMembers({ conversation: { messages, tools } }: ModelRequest): string[] {
  const names = new Set<string>();
  for (const { extra } of tools) addNames(names, 'tool', extra);
  for (const message of messages) {
    addNames(names, 'message', message.extra);
    for (const { type, extra } of message.parts) addNames(names, type, extra);
  }
  return [...names];
}

function addNames(names: Set<string>, owner: string, extra: Extra | undefined): void {
  if (extra === undefined) return;
  for (const [name, value] of Object.entries(extra))
    if (!silent.has(name) && !isEmpty(value)) names.add(`${owner}.${name}`);
}

/** Whether a value holds nothing that could be lost. */
function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
