declare module 'virtual:examples' {
  import type { Example } from './examples.js';
  export const examples: readonly Example[];
}
