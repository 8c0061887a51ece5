// The APIs people speak, each as one object under the same names: OpenAI's Chat Completions and Responses,
// Anthropic's Messages, and OpenAI's older Completions, by which a model is only reached.
//
// A request is decoded into the model's words and encoded again: by the same API to the same body, by another to
// one that says the same. Answers go the other way, as events while they are written, or whole.

import type { ApiName } from '../model/index.js';
import { anthropicMessages } from './anthropic-messages/index.js';
import { openaiChat } from './openai-chat/index.js';
import { openaiCompletions } from './openai-completions/index.js';
import { openaiResponses } from './openai-responses/index.js';
import type { Wire } from './wire.js';

export type { EncodeContext, EncodedError, StreamDecoder, StreamEncoder, Wire } from './wire.js';
export { anthropicMessages, openaiChat, openaiCompletions, openaiResponses };

/** All of them. */
export const wires: readonly Wire[] = [openaiChat, openaiResponses, anthropicMessages, openaiCompletions];

const byName = new Map(wires.map((wire) => [wire.name, wire]));

/** The API of this name. */
export function wireOf(name: ApiName): Wire {
  const wire = byName.get(name);
  if (wire === undefined) throw new Error(`There is no API named '${name}'.`);
  return wire;
}

export * as aiSdk from './ai-sdk/index.js';
export { type BlockEvent, toBlocks } from './to-blocks.js';
