// Keys that stand twice in an object: the later value counts, and the earlier one is lost in every form that has the
// arguments as an object. JSON.parse does not tell, so they are counted in the text.

import { type Conversation, hasDuplicates, readJson } from '@dragoman/core/internal';
import type { Note, Row } from './form.js';

const CODE = 'duplicate-key';

/** Notes each call whose arguments are text with such a key. Parsers of dialects have noted theirs. */
export function noteDuplicateArguments(
  { messages }: Conversation,
  read: readonly Note[],
  found: Note[],
): void {
  if (read.some(({ code }) => code === CODE)) return;
  for (const [at, { role, parts }] of messages.entries()) {
    if (role !== 'assistant') continue;
    for (const [index, part] of parts.entries())
      if (part.type === 'tool-call' && part.raw !== undefined && hasDuplicates(part.raw, part.input))
        found.push({ kind: 'issue', code: CODE, path: `messages[${at}].parts[${index}]` });
  }
}

/** Notes a row that has such a key outside of texts, with the key. */
export function noteDuplicateMembers(text: string, row: Row): Note[] {
  if (!hasDuplicates(text, row)) return [];
  const [first] = readJson(text)?.duplicates ?? [];
  return [{ kind: 'issue', code: CODE, path: first?.key ?? '' }];
}
