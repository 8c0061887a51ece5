import type { ConfigInput } from './shape.js';

/** For `dragoman.config.ts` and `.js`: gives the types, and changes nothing. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}
