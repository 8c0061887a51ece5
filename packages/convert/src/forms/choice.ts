// The tool choice of a conversation, and how the row spelled it.

import {
  type Conversation,
  type ExactValue,
  type Extra,
  type ReadChoice,
  richerChoice,
} from '@dragoman/core/internal';
import type { Note } from './form.js';
import { noteLoss } from './losses.js';

const ARRIVED = 'dragoman:choice';

/** Gives the choice, with a note of its spelling. */
export function notedChoice({ arrived, ...choice }: ReadChoice): Pick<Conversation, 'toolChoice' | 'extra'> {
  return arrived === undefined ? choice : { ...choice, extra: { ...choice.extra, [ARRIVED]: arrived } };
}

/** Gives the choice as the row spelled it, for the form that read it. */
export function arrivedChoice(extra: Extra | undefined): ExactValue | undefined {
  return extra?.[ARRIVED] as ExactValue | undefined;
}

export function noteChoice(notes: Note[], extra: Extra | undefined): void {
  if (richerChoice(extra) !== undefined) noteLoss(notes, 'tool-choice', 'toolChoice');
}
