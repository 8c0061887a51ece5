// The reasoning of turns that came back without it. Within a tool loop, where the model goes on with what it began, it is put
// back; elsewhere the upstream gets what the client sent.

import { someOf } from '../../model/frozen-lists.js';
import { type AssistantMessage, copyWritten, type Message, type ModelRequest } from '../../model/index.js';
import { mapSame } from '../../model/map-same.js';
import { loopStart } from '../emulate/keep-reasoning.js';
import type { KeptTurn } from './turn-memory.js';

/** Bound to the parts of a message, as its words are. */
const recalled = new WeakMap<AssistantMessage['parts'], KeptTurn>();

export function setRecalled(message: AssistantMessage, turn: KeptTurn): AssistantMessage {
  recalled.set(message.parts, turn);
  return message;
}

/** `upstream`: only reasoning that this upstream wrote. Absent: that of every turn whose words are kept. */
export function withReasoning<R extends ModelRequest>(request: R, upstream?: object): R {
  const { conversation } = request;
  const start = loopStart(conversation.messages);
  const messages = mapSame(conversation.messages, (message, at) =>
    at > start && message.role === 'assistant' ? reasoned(message, upstream) : message,
  );
  return messages === conversation.messages
    ? request
    : { ...request, conversation: { ...conversation, messages } };
}

function reasoned(message: AssistantMessage, upstream: object | undefined): Message {
  const turn = recalled.get(message.parts);
  const belongs = upstream ? turn?.upstream === upstream : turn?.written !== undefined;
  if (!turn || !belongs || someOf(message.parts, isThought)) return message;
  const thoughts = turn.parts.filter(isThought);
  if (thoughts.length === 0) return message;
  const isFirst = turn.parts.findLastIndex(isThought) < thoughts.length;
  const parts = isFirst ? [...thoughts, ...message.parts] : [...turn.parts];
  return copyWritten(message, { ...message, parts });
}

const isThought = ({ type }: AssistantMessage['parts'][number]) => type === 'reasoning';
