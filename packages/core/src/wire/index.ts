// The supported APIs, each one object with the same members: OpenAI's Chat Completions and Responses, Anthropic's
// Messages, and OpenAI's older Completions, which is only used towards upstreams.
//
// A request is decoded into the model and encoded again: by the same API to the same body, by another API to a body
// with the same meaning. Answers go the other way, as events while they are written, or whole.

import { anthropicMessages } from './anthropic-messages/index.js';
import { openaiChat } from './openai-chat/index.js';
import { openaiCompletions } from './openai-completions/index.js';
import { openaiResponses } from './openai-responses/index.js';
import type { Wire } from './wire.js';

export type { AnswerAudit } from './audit.js';
export { authHeaders, keyPlaces, routeAt, routesOf, sentKey, type WireRoute } from './requests.js';
export type * from './wire.js';
export { anthropicMessages, openaiChat, openaiCompletions, openaiResponses };

const list = [openaiChat, openaiCompletions, openaiResponses, anthropicMessages] as const;

export type ApiName = (typeof list)[number]['name'];

/** All APIs. The first is the default. */
export const wires: readonly Wire<ApiName>[] = list;

export const defaultWire: Wire<ApiName> = list[0];

export const apiNames: readonly ApiName[] = list.map(({ name }) => name);

/** Finds an API by its name. */
export function wireOf(name: string, among: readonly Wire[] = wires): Wire {
  const wire = among.find((one) => one.name === name);
  if (wire === undefined) throw new Error(`There is no API named '${name}'.`);
  return wire;
}

/** Finds the first API whose requests hold messages, or one prompt. */
export function wireTaking(takes: Wire['takes']): Wire<ApiName> {
  return wires.find((wire) => wire.takes === takes) ?? defaultWire;
}

export * as aiSdk from './ai-sdk.js';
export { type BlockEvent, toBlocks } from './to-blocks.js';
