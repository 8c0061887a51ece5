// Items of a conversation that only the API they came by knows. For an upstream of another API, a text takes the place of
// those that hold something to read.

import { someOf } from '../../model/frozen-lists.js';
import type { AssistantMessage, Message, ModelRequest, Report } from '../../model/index.js';
import type { Upstream } from '../upstream/upstream.js';

/** Never throws. */
export function tellItems<R extends ModelRequest>(request: R): R {
  const { conversation } = request;
  if (!conversation.messages.some(hasStandIn)) return request;
  const messages = conversation.messages.map((message) =>
    message.role === 'assistant' && hasStandIn(message) ? told(message) : message,
  );
  return { ...request, conversation: { ...conversation, messages } };
}

function hasStandIn(message: Message): boolean {
  return (
    message.role === 'assistant' &&
    someOf(message.parts, (part) => part.type === 'text' && part.standIn !== undefined)
  );
}

/** Each text is on lines of its own: the texts of a turn are joined without a separator. */
function told(message: AssistantMessage): AssistantMessage {
  const parts: AssistantMessage['parts'] = [];
  for (const part of message.parts) {
    if (part.type !== 'text' || part.standIn === undefined) {
      parts.push(part);
      continue;
    }
    const last = parts.at(-1);
    const follows = last?.type === 'text' && last.text !== '' && !last.text.endsWith('\n');
    const text = `${follows ? '\n' : ''}${part.standIn}\n`;
    parts.push({ type: 'text', text, extra: { item: part.extra?.type } });
  }
  return { ...message, parts };
}

/** Lists what of the conversation this upstream, whose answers are native, does not get. */
export function leftOut(
  { api, conversation, unreadItems = [] }: ModelRequest,
  upstream: Upstream,
): Pick<Report, 'skippedItems' | 'ignored'> {
  if (api === upstream.api) return {};
  const unsigned = upstream.reasoning === 'own' && conversation.messages.some(hasReasoning);
  return {
    ...(unreadItems.length > 0 && { skippedItems: unreadItems }),
    ...(unsigned && { ignored: ['reasoning'] }),
  };
}

function hasReasoning({ parts }: Message): boolean {
  return someOf<Message['parts'][number]>(parts, (part) => part.type === 'reasoning' && part.text !== '');
}
