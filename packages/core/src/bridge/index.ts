// @dragoman/core/bridge: tool calls over models that only write text, in the APIs that clients use.

export { CallSize } from '../model/call-size.js';
export { exceededBy, type JsonLimits, JsonSize, MOST_JSON } from '../model/json-size.js';
export { RepeatedValues } from '../model/repeated-values.js';
export { dialectOfModel } from './emulate/dialect-of-model.js';
export { emulate } from './emulate/emulate.js';
export { detectEngine } from './engines/detect-engine.js';
export { type Engine, type EngineName, engineNames, engineOf } from './engines/engines.js';
export { findBareLeak } from './heal/find-bare-leak.js';
export { type FoundLeak, findLeak, type LeakSearch } from './heal/find-leak.js';
export { heal } from './heal/heal.js';
export { newId } from './ids.js';
export type { BridgeEvent, BridgeOptions } from './options.js';
export { collectAnswer } from './reply/collect-answer.js';
export { type AskOptions, createAsk } from './reply/create-ask.js';
export {
  type Incoming,
  incomingOf,
  type Reply,
  type ReplyStream,
  tooLarge,
  toResponse,
} from './reply/reply.js';
export {
  createReplier,
  createResponder,
  errorReply,
  errorResponse,
  type PoolResponderOptions,
  type Replier,
  type ReplyContext,
  type RespondContext,
  type Responder,
  type ResponderOptions,
  type ResponderSettings,
  type RouterOptions,
} from './reply/respond.js';
export { createSeal, type Seal } from './reply/seal.js';
export { type Balance, type BalanceOptions, createBalance, type RoutePolicy } from './route/balance.js';
export { createPool, type PoolEndpoint, type PoolOptions } from './route/create-pool.js';
export { toolFaults } from './route/tool-faults.js';
export { type KeptTurn, TurnMemory, type TurnMemoryOptions } from './turns/turn-memory.js';
export type { TurnStore } from './turns/turn-store.js';
export { withErrors } from './upstream/batches.js';
export { estimateTokens } from './upstream/estimate-tokens.js';
export { type FoundJson, getJson, type UpstreamAddress } from './upstream/get-json.js';
export { type BodyEncoder, createUpstream, type UpstreamOptions } from './upstream/http-upstream.js';
export { unlessAborted } from './upstream/on-abort.js';
export type { Fetched } from './upstream/response-text.js';
export { DEFAULT_TIMEOUTS, type Timeouts } from './upstream/timeouts.js';
export type { Ask, AskContext, Upstream, UpstreamContext, UpstreamRequest } from './upstream/upstream.js';
