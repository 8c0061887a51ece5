// Keys that stand twice in an object: the later value counts, and the earlier one is lost in every form that has the
// arguments as an object. JSON.parse does not tell, so they are counted in the text. Counting a whole row takes as long
// as parsing it, so this is done only where the row has arguments as objects.

import { type Conversation, hasDuplicates, readJson, type ToolCall } from '@dragoman/core/internal';
import type { Note, Row } from './form.js';

const CODE = 'duplicate-key';

/** The row and the line it was parsed from, if there is one. */
export interface GivenLine {
  row: Row;
  text: string | undefined;
}

/**
 * Notes each call whose arguments are text with such a key, and a row with one outside of texts, with the key. Parsers of
 * dialects have noted theirs in `read`.
 */
export function noteDuplicateKeys(
  { messages }: Conversation,
  { row, text }: GivenLine,
  read: readonly Note[],
  found: Note[],
): void {
  if (read.some(({ code }) => code === CODE)) return;
  let hasObjects = false;
  for (const [at, { role, parts }] of messages.entries()) {
    if (role !== 'assistant') continue;
    for (const [index, part] of parts.entries()) {
      if (part.type !== 'tool-call') continue;
      if (part.raw !== undefined && hasDuplicates(part.raw, part.input))
        found.push({ kind: 'issue', code: CODE, path: `messages[${at}].parts[${index}]` });
      hasObjects ||= text !== undefined && isFromObject(part, text);
    }
  }
  if (text === undefined || !hasObjects || !hasDuplicates(text, row)) return;
  const [first] = readJson(text)?.duplicates ?? [];
  found.push({ kind: 'issue', code: CODE, path: first?.key ?? '' });
}

/** How much of a call's arguments is looked for in the line. */
const SHOWN = 24;

/** Whether the arguments were an object in the line: they do not stand there as a text, or one that is spelled otherwise. */
function isFromObject({ raw, input }: ToolCall, line: string): boolean {
  if (raw === undefined) return Object.keys(input).length > 0;
  return !line.includes(JSON.stringify(raw.slice(0, SHOWN)).slice(1, -1));
}
