// Messages of the assistant without text and calls: answers that were empty, or only reasoning.
//
//   Anthropic    "all messages must have non-empty content except for the optional final assistant message", "text
//                content blocks must be non-empty"                              claude-code#6774, tidyverse/ellmer#709
//   Mistral      "Assistant message must have either content or tool_calls, but not none."            OpenHands#8685
//   llama.cpp    "Assistant message must contain either 'content' or 'tool_calls'!"        defilantech/LLMKube#935
//   Moonshot     "the message at position X with role 'assistant' must not be empty"              hermes-agent#90614

import { everyOf, someOf } from '../../model/frozen-lists.js';
import type { AssistantMessage, Message, TextPart } from '../../model/index.js';
import { membersOf } from '../../wire/notes.js';
import { type Mends, type PlacedMessage, partPath } from './mends.js';

/** The text of an answer that had none. */
const NO_ANSWER = '(no answer)';

type Part = AssistantMessage['parts'][number];

/**
 * Leaves empty turns out at the end, and beside other messages of the assistant. Elsewhere they get a text, because
 * templates and APIs refuse a user's message after another one, or after a tool's. A conversation of empty turns alone
 * stays as it is.
 */
export function withoutEmptyTurns(
  messages: readonly PlacedMessage[],
  mends: Mends,
): readonly PlacedMessage[] {
  const end = messages.findLastIndex(({ message }) => !isEmptyTurn(message)) + 1;
  if (end === 0) return messages;
  const kept: PlacedMessage[] = [];
  for (const [index, placed] of messages.entries()) {
    const { message, at } = placed;
    if (message.role !== 'assistant') kept.push(placed);
    else if (!isEmptyTurn(message)) {
      const filled = withoutBlanks(message, at, mends);
      kept.push(filled === message ? placed : { message: filled, at });
    } else {
      const neighbours = [kept.at(-1), messages[index + 1]];
      const beside =
        neighbours.some((one) => one?.message.role === 'assistant') && message.parts.every(isBlank);
      const left = index >= end || beside;
      const done = left ? 'left out' : 'given a text';
      mends.add('empty-turn', `messages[${at}]`, `The message had neither text nor calls, and was ${done}.`);
      if (!left) kept.push({ message: withText(message), at });
    }
  }
  return kept;
}

function isEmptyTurn(message: Message): message is AssistantMessage {
  return (
    message.role === 'assistant' &&
    everyOf(message.parts, (part) => part.type === 'reasoning' || isBlank(part))
  );
}

/** Whether the part is only white space. One with members of its own may be a block that only its API knows. */
function isBlank(part: Part): part is TextPart {
  if (part.type !== 'text' || part.text.trim() !== '') return false;
  return Object.keys(membersOf(part.extra)).length === 0;
}

/** Puts the text in the place of the blank one, if there is one: notes on it tell its API where it belongs. */
function withText(message: AssistantMessage): AssistantMessage {
  const blank = message.parts.find(isBlank) ?? { type: 'text' };
  const parts = message.parts.filter((part) => !isBlank(part));
  return { ...message, parts: [...parts, { ...blank, text: NO_ANSWER }] };
}

/** Leaves out text blocks without a character. White space is left: models write it before their calls. */
function withoutBlanks(message: AssistantMessage, at: number, mends: Mends): AssistantMessage {
  const isEmpty = (part: Part) => isBlank(part) && part.text === '';
  if (!someOf(message.parts, isEmpty)) return message;
  const place = message.parts.findIndex(isEmpty);
  mends.add('empty-text', partPath(at, place), 'Text parts without a character were left out.');
  return { ...message, parts: message.parts.filter((part) => !isEmpty(part)) };
}
