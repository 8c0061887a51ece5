// Tools that many conversations share, as the rows of a training file do: read once, frozen through and through, and
// known again by who they are. So what is made of a tool (its accepted copy, its text) is made once. A tool that is
// not kept here is treated as ever: it may have been changed since it was last seen.

import { acceptTools } from './accept-tools.js';
import { acceptedTools } from './accepted-tools.js';
import type { Tool } from './conversation.js';
import { UsageError } from './errors.js';
import { keepJson } from './stringify-json.js';

/** The tool, which must be nobody else's: it is frozen with all that it holds. */
export function keepTool(tool: Tool): Tool {
  freeze(tool);
  if (tool.source !== undefined) keepJson(tool.source);
  try {
    const [accepted] = acceptTools([tool]);
    if (accepted) keepAccepted(tool, accepted);
  } catch (error) {
    // Then it is refused anew, with its path, by all who are given it.
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

/** Depth is bounded where values come in. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  // The members of a Map cannot be frozen; what holds one is never kept.
  Object.freeze(value);
  for (const member of Object.values(value)) freeze(member);
}
