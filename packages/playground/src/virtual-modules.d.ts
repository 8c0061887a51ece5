// Modules that vite.config.ts makes when the page is built.

declare module 'virtual:examples' {
  import type { Example } from './views/read/examples.js';
  export const examples: readonly Example[];
}

declare module 'virtual:dialects' {
  export const dialectList: readonly { name: string; about: string }[];
}

declare module 'virtual:about' {
  export const about: { repository?: string };
}
