export {
  type ClosableRateLimiter,
  createLocalCount,
  createRateLimiter,
  type RateLimiterOptions,
  type RequestCount,
} from './create-rate-limiter.js';
export { createStore, isMemory, type StoreOptions } from './create-store.js';
