// The gateway as a function, without a server: for workers, and for servers of your own.

export { configFromFlags, type Flags } from '../config/flags.js';
export { type ParseOptions, parseConfig } from '../config/parse-config.js';
export { type ConfigResult, formatProblems } from '../config/problem.js';
export { createResponses } from '../responses/index.js';
export type { Log, RateLimiter, Store, Watcher } from '../services.js';
export { type App, type AppOptions, createApp } from './app.js';
export type { Coding, PageFile, PageFiles } from './page-routes.js';
