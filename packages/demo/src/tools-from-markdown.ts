// Tools that a prompt gives as Markdown, as DeepSeek V3.1's does:
//
//   ### get_weather
//   Description: Weather of a city
//
//   Parameters: {"type": "object", …}

import type { JsonObject, Tool } from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';
import { objectEnd, readJson } from './json-values.js';

const PARAMETERS = '\n\nParameters: ';
const DESCRIPTION = '\nDescription: ';

export function toolsFromMarkdown(text: string): Tool[] {
  const found: Tool[] = [];
  let at = text.indexOf('\n### ');
  while (at >= 0) {
    const middle = text.indexOf(PARAMETERS, at);
    if (middle < 0) break;
    const start = middle + PARAMETERS.length;
    const end = objectEnd(text, start);
    if (end < 0) break;
    found.push(toolOf(text.slice(at + '\n### '.length, middle), readJson(text.slice(start, end))));
    at = text.indexOf('\n### ', end);
  }
  return found;
}

function toolOf(head: string, parameters: unknown): Tool {
  const line = head.indexOf(DESCRIPTION);
  return {
    name: line < 0 ? head : head.slice(0, line),
    ...(line >= 0 && { description: head.slice(line + DESCRIPTION.length) }),
    ...(isObject(parameters) && { parameters: parameters as JsonObject }),
  };
}
