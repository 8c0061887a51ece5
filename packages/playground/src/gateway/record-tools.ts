// The tools of a recorded request, as JSON text for Read.

import type { JsonValue } from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';

export function recordTools(request: JsonValue | undefined): string {
  const conversation = isObject(request) ? request.conversation : undefined;
  const tools = isObject(conversation) ? conversation.tools : undefined;
  if (!Array.isArray(tools) || tools.length === 0) return '';
  return JSON.stringify(tools.map(asDeclared), null, 2);
}

/** Gives the tool as the client declared it, if the record has that. */
function asDeclared(tool: unknown): unknown {
  return isObject(tool) && isObject(tool.source) ? tool.source : tool;
}
