// @dragoman/core/bridge: tool calls over models that only write text, in the APIs people speak.

export { withErrors } from './batches.js';
export { begun } from './begun.js';
export { collectAnswer } from './collect-answer.js';
export { type AskOptions, createAsk } from './create-ask.js';
export { dialectOfModel } from './dialect-of-model.js';
export { emulate } from './emulate.js';
export { estimateTokens } from './estimate-tokens.js';
export { heal } from './heal.js';
export { createUpstream, type UpstreamOptions } from './http-upstream.js';
export { newId } from './new-id.js';
export type { BridgeEvent, BridgeOptions } from './options.js';
export { type Incoming, incomingOf, type Reply, type ReplyStream, tooLarge, toResponse } from './reply.js';
export {
  createReplier,
  createResponder,
  errorReply,
  errorResponse,
  type Replier,
  type ReplyContext,
  type RespondContext,
  type Responder,
  type ResponderOptions,
  type ResponderSettings,
  type RouterOptions,
} from './respond.js';
export type { Fetched } from './response-text.js';
export { DEFAULT_TIMEOUTS, type Timeouts } from './timeouts.js';
export { toStream } from './to-stream.js';
export type { Ask, AskContext, Upstream, UpstreamContext, UpstreamRequest } from './upstream.js';
