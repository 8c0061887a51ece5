// Checks the order of events in a stream against the documentation of its API. The events are read by a third-party
// parser of server-sent events, and their content is collected on the way.

import type { EventSourceMessage } from 'eventsource-parser';
import { checkChat } from './order-chat.js';
import { checkMessages } from './order-messages.js';
import { checkResponses } from './order-responses.js';
import type { Told } from './told.js';

export type ClientApi = 'openai-chat' | 'openai-responses' | 'anthropic-messages';

export const checkOrder: Record<ClientApi, (events: EventSourceMessage[], usageAsked: boolean) => Told> = {
  'openai-chat': checkChat,
  'openai-responses': checkResponses,
  'anthropic-messages': checkMessages,
};
