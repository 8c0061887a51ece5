// @dragoman/gateway: a server between agents and models.

export { type App, type AppOptions, createApp } from './app/app.js';
export type {
  GatewayConfig,
  KeyConfig,
  LimitsConfig,
  ModelConfig,
  UpstreamConfig,
  UpstreamKind,
} from './config/config.js';
export * from './config/index.js';
export * from './observability/index.js';
export { createResponses, type Responses, type ResponsesOptions } from './responses/index.js';
export { type Gateway, type ServeOptions, serve } from './server/serve.js';
export type { ExchangeInfo, ExchangeWatch, Log, RateLimiter, Store, Watcher } from './services.js';
export {
  type ClosableRateLimiter,
  createRateLimiter,
  createStore,
  type RateLimiterOptions,
  type StoreOptions,
} from './store/index.js';
export {
  serveWorkers,
  type WorkersGateway,
  type WorkersOptions,
  workersOf,
} from './workers/serve-workers.js';
