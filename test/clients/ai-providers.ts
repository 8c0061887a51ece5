// The providers of the `ai` package, by every API that they speak.

import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { aiClients } from './ai-sdk.js';
import { CLIENT_KEY, type Client } from './client.js';

const apiKey = CLIENT_KEY;
const openAi = (url: string) => createOpenAI({ apiKey, baseURL: `${url}/v1` });

export const aiAnthropic = aiClients('anthropic', (url) =>
  createAnthropic({ apiKey, baseURL: `${url}/v1` })('any'),
);

/** This provider has no place for reasoning in chat, and shows only summaries of it in responses. */
const withoutReasoning = (client: Client): Client => ({ ...client, reasons: false });

export const aiOpenAiChat = aiClients('openai.chat', (url) => openAi(url).chat('any')).map(withoutReasoning);

export const aiOpenAiResponses = aiClients('openai.responses', (url) => openAi(url).responses('any')).map(
  withoutReasoning,
);

/** With the history in every request, and not at the server. */
export const aiOpenAiResponsesUnstored = aiClients(
  'openai.responses, store: false',
  (url) => openAi(url).responses('any'),
  { openai: { store: false } },
).map(withoutReasoning);

export const aiOpenAiCompatible = aiClients('openai-compatible', (url) =>
  createOpenAICompatible({ name: 'dragoman', apiKey, baseURL: `${url}/v1` })('any'),
);
