// What a model wrote in a turn, word for word, beside the parts that were read from it. A renderer writes it again
// unchanged, so that an upstream finds its prefix cache, and a training run its own tokens.
//
// It is bound to the list of the message's parts and not a member of the message: JSON of a client cannot forge it, and a
// message whose parts were changed has lost it.

import type { AssistantMessage } from './conversation.js';

export interface WrittenTurn {
  /** The name of the dialect it was read in. */
  dialect: string;
  /** Without the token that ended the turn. */
  text: string;
  /** It begins inside reasoning, which the prompt had opened. */
  inside: boolean;
  /** Where text and calls begin, after the reasoning in `text`. 0: there is none. Absent: they are mixed. */
  body?: number | undefined;
  /** The option `thinking` of the prompt before it, where that is known: it set what the model went on from. */
  asked?: { thinking: boolean | undefined } | undefined;
  /**
   * Markers that divide turns are in it: a model may have copied them from outside. Only where nothing is escaped is it
   * written again.
   */
  dividing: boolean;
}

const writtenTurns = new WeakMap<AssistantMessage['parts'], WrittenTurn>();

/** Binds what the model wrote to a message, and gives the message. */
export function setWritten(message: AssistantMessage, written: WrittenTurn): AssistantMessage {
  writtenTurns.set(message.parts, written);
  return message;
}

export function writtenOf({ parts }: AssistantMessage): WrittenTurn | undefined {
  return writtenTurns.get(parts);
}

/** Gives a copy of a message what its original has: for copies that change nothing that was written. */
export function copyWritten<M extends AssistantMessage>(from: Pick<AssistantMessage, 'parts'>, to: M): M {
  const written = writtenTurns.get(from.parts);
  if (written) writtenTurns.set(to.parts, written);
  return to;
}
