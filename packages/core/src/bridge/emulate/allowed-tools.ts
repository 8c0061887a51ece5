// OpenAI's `tool_choice` of the type `allowed_tools`: all tools are declared, so that prompt caches hold, but only
// some may be called. The model is shown all of them; a call of another counts as one of an unknown tool.
//
//   chat        {type: 'allowed_tools', allowed_tools: {mode, tools: [{type: 'function', function: {name}}]}}
//   Responses   {type: 'allowed_tools', mode, tools: [{type: 'function', name}]}
//
// Freeform tools have the type `custom`, and in chat their name in a member of this name.

import { type Conversation, isObject, type Tool } from '../../model/index.js';

export function allowedTools({ tools, extra }: Conversation): readonly Tool[] {
  const choice = extra?.tool_choice;
  if (!isObject(choice) || choice.type !== 'allowed_tools') return tools;
  const allowed = isObject(choice.allowed_tools) ? choice.allowed_tools : choice;
  if (!Array.isArray(allowed.tools)) return tools;
  const names = new Set(allowed.tools.map(nameOf));
  return tools.filter(({ name }) => names.has(name));
}

function nameOf(tool: unknown): unknown {
  if (!isObject(tool)) return undefined;
  const inner = tool.function ?? tool.custom;
  return isObject(inner) ? inner.name : tool.name;
}
