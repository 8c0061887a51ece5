// The APIs people speak, each as one object under the same names.

import type { ApiName } from '../model/index.js';
import { anthropicMessages } from './anthropic-messages/index.js';
import { openaiChat } from './openai-chat/index.js';
import { openaiCompletions } from './openai-completions/index.js';
import { openaiResponses } from './openai-responses/index.js';
import type { Wire } from './wire.js';

export type { EncodeContext, EncodedError, StreamDecoder, StreamEncoder, Wire } from './wire.js';
export { anthropicMessages, openaiChat, openaiCompletions, openaiResponses };

export const wires: readonly Wire[] = [openaiChat, openaiResponses, anthropicMessages, openaiCompletions];

const byName = new Map(wires.map((wire) => [wire.name, wire]));

export function wireOf(name: ApiName): Wire {
  const wire = byName.get(name);
  if (wire === undefined) throw new Error(`There is no API named '${name}'.`);
  return wire;
}
