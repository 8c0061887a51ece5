// Tools that are read once and used many times: by every request of an agent, by the renderer, the parser and the grammar
// of each. A prepared list is checked, exact and frozen, and is taken as it is wherever tools are taken; what is made of
// it (the lookup here, compiled schemas, JSON texts, grammars) is made on first use and found by its identity.

import { acceptedTools, acceptTools, preparedLists } from './accept-tools.js';
import { makeConstant } from './constants.js';
import type { Tool } from './conversation.js';
import { UsageError } from './errors.js';
import { keepJson } from './stringify-json.js';

/** Tools that were checked and frozen: `prepareTools` makes them. */
export type PreparedTools = readonly Tool[];

/** Reads tools of any shape that `acceptTools` takes, once. Throws a UsageError that names the path. */
export function prepareTools(tools: unknown): PreparedTools {
  return isPrepared(tools) ? tools : settleTools(acceptTools(tools));
}

function isPrepared(tools: unknown): tools is PreparedTools {
  return typeof tools === 'object' && tools !== null && preparedLists.has(tools);
}

/** Makes a prepared list of tools that `acceptTools` gave. The caller must own them alone: they are frozen. */
export function settleTools(tools: readonly Tool[]): PreparedTools {
  for (const tool of tools) {
    makeConstant(tool);
    if (tool.source !== undefined) keepJson(tool.source);
    acceptedTools.set(tool, tool);
  }
  makeConstant(tools);
  preparedLists.set(tools, byName(tools));
  return tools;
}

/** Gives tools of any shape by their names. */
export function toolsByName(tools: unknown): ReadonlyMap<string, Tool> {
  return tools instanceof Map ? tools : acceptedByName(acceptTools(tools));
}

/** Gives accepted tools by their names. */
export function acceptedByName(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  return preparedLists.get(tools) ?? byName(tools);
}

function byName(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  return new Map(tools.map((tool) => [tool.name, tool]));
}

/**
 * Prepares one tool that many conversations share, such as the rows of a training file, and returns it. The caller must
 * own it alone: it is frozen with everything it holds.
 */
export function keepTool(tool: Tool): Tool {
  makeConstant(tool);
  if (tool.source !== undefined) keepJson(tool.source);
  try {
    const [accepted] = settleTools(acceptTools([tool]));
    if (accepted) acceptedTools.set(tool, accepted);
  } catch (error) {
    // An invalid tool is not kept: acceptTools refuses it again, with its path, for every caller.
    if (!(error instanceof UsageError)) throw error;
  }
  return tool;
}
