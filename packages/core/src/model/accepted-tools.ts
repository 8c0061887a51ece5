// The results of `acceptTools` for kept tools (kept-tools.ts), by object identity.

import type { Tool } from './conversation.js';

export const acceptedTools = new WeakMap<object, Tool>();
