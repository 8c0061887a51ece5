// All clients there are.

import {
  aiAnthropic,
  aiOpenAiChat,
  aiOpenAiCompatible,
  aiOpenAiResponses,
  aiOpenAiResponsesUnstored,
} from './ai-providers.js';
import { anthropic } from './anthropic.js';
import type { Client } from './client.js';
import { openAiChat } from './openai-chat.js';
import { openAiResponses } from './openai-responses.js';

export const everyone: readonly Client[] = [
  ...openAiChat,
  ...openAiResponses,
  ...anthropic,
  ...aiOpenAiChat,
  ...aiOpenAiResponses,
  ...aiOpenAiResponsesUnstored,
  ...aiOpenAiCompatible,
  ...aiAnthropic,
];
