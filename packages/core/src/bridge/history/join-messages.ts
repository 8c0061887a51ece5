// Joins messages of one role: chat templates refuse them in a row.

import type { Message, TextPart } from '../../model/index.js';
import { joinExtra } from '../../wire/notes.js';

type Part = Message['parts'][number];

/** All have the same role. Texts that meet become paragraphs, of one part where they are plain. */
export function joinMessages<M extends Message>(messages: readonly [M, ...M[]]): M {
  const [only, ...others] = messages;
  if (others.length === 0) return only;
  const parts: Part[] = [];
  for (const message of messages) addParts(parts, message.parts);
  const { extra: _, ...first } = only;
  return { ...first, parts, ...joinExtra(messages.map(({ extra }) => extra)) } as M;
}

function addParts(parts: Part[], [first, ...rest]: readonly Part[]): void {
  const last = parts.at(-1);
  if (first === undefined) return;
  if (!isText(last) || !isText(first)) parts.push(first);
  else if (last.extra !== undefined || first.extra !== undefined)
    parts.push({ ...first, text: `\n\n${first.text}` });
  else parts[parts.length - 1] = { ...last, text: `${last.text}\n\n${first.text}` };
  for (const part of rest) parts.push(part);
}

/** A part without text may be a block that only its API knows. */
function isText(part: Part | undefined): part is TextPart {
  return part?.type === 'text' && part.text !== '' && !part.aside;
}
