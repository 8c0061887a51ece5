// Which tool must, may or must not be called. Rare in transcripts, so the model's own door reads it.

import { acceptConversation, type Conversation, type ExactValue, type Extra } from '@dragoman/core/internal';
import type { Note } from './form.js';
import { noteLoss } from './losses.js';
import { inRow } from './row-fault.js';

const ARRIVED = 'dragoman:choice';

/** The choice, and how it was spelled. */
export function readChoice(
  value: ExactValue | undefined,
  key: 'tool_choice' | 'function_call',
): Pick<Conversation, 'toolChoice' | 'extra'> {
  if (value === undefined) return { toolChoice: 'auto' };
  const { toolChoice, extra } = inRow(() => acceptConversation({ messages: [], [key]: value }));
  return { toolChoice, extra: { ...extra, ...(key === 'tool_choice' && { [ARRIVED]: value }) } };
}

/** As it arrived, for the form that read it. */
export function arrivedChoice(extra: Extra | undefined): ExactValue | undefined {
  return extra?.[ARRIVED] as ExactValue | undefined;
}

/** `extra.tool_choice` is there where the choice said more than ours can. */
export function noteChoice(notes: Note[], extra: Extra | undefined): void {
  if (extra?.tool_choice !== undefined) noteLoss(notes, 'tool-choice', 'toolChoice');
}
