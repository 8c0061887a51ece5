// Caches tools that many conversations share, such as the rows of a training file. A kept tool is accepted once, deeply
// frozen, and found again by object identity, so its accepted copy and its JSON text are made once. A tool that is not
// kept here is accepted anew each time, because its owner may have changed it.

import { acceptedTools, acceptTools } from './accept-tools.js';
import type { Tool } from './conversation.js';
import { UsageError } from './errors.js';
import { keepJson } from './stringify-json.js';

/** Keeps the tool and returns it. The caller must own it alone: it is frozen with everything it holds. */
export function keepTool(tool: Tool): Tool {
  freeze(tool);
  if (tool.source !== undefined) keepJson(tool.source);
  try {
    const [accepted] = acceptTools([tool]);
    if (accepted) keepAccepted(tool, accepted);
  } catch (error) {
    // An invalid tool is not kept: acceptTools refuses it again, with its path, for every caller.
    if (!(error instanceof UsageError)) throw error;
  }
  return tool;
}

function keepAccepted(tool: Tool, accepted: Tool): void {
  freeze(accepted);
  if (accepted.source !== undefined) keepJson(accepted.source);
  acceptedTools.set(tool, accepted);
  acceptedTools.set(accepted, accepted);
}

/** Freezes a value deeply. Recursion is safe: validation has bounded the depth. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  // Object.freeze cannot freeze the members of a Map, so a value that holds a Map is never kept.
  Object.freeze(value);
  for (const member of Object.values(value)) freeze(member);
}
