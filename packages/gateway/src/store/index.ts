export {
  type ClosableRateLimiter,
  createRateLimiter,
  type RateLimiterOptions,
} from './create-rate-limiter.js';
export { createStore, type StoreOptions } from './create-store.js';
