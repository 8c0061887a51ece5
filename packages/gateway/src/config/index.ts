// The gateway's configuration: a file, flags, or nothing at all.

export { waitingForRestart } from './fixed-at-start.js';
export { configFromFlags, type Flags } from './flags.js';
export { configNames, findConfig, type LoadOptions, type LoadResult, loadConfig } from './load-config.js';
export { type ParseOptions, parseConfig } from './parse-config.js';
export { ConfigError, type ConfigResult, formatProblem, formatProblems, type Problem } from './problem.js';
export { type ConfigInput, defineConfig } from './shape.js';
export { type ConfigWatch, type WatchOptions, watchConfig } from './watch-config.js';
