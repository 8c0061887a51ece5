import type { ConfigInput } from './shape.js';

/** Gives `dragoman.config.ts` and `.js` their types, and returns the configuration unchanged. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}
