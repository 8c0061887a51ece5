// The order of events in a stream, API by API, as its documentation has it: checked on what a foreign reader of
// server-sent events found in the bytes. What the events say is put together on the way.

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
