// @dragoman/gateway: a server between agents and models.

export type {
  GatewayConfig,
  KeyConfig,
  LimitsConfig,
  ModelConfig,
  UpstreamConfig,
  UpstreamKind,
} from './config/config.js';
export type { ExchangeInfo, ExchangeWatch, Log, RateLimiter, Store, Watcher } from './services.js';
