// What `acceptTools` makes of the tools that are kept (kept-tools.ts), by who they are.

import type { Tool } from './conversation.js';

export const acceptedTools = new WeakMap<object, Tool>();
