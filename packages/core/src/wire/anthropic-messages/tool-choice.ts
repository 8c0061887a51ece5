// Reads and writes which tool must, may or must not be called.

import type { Conversation, Settings, ToolChoice } from '../../model/index.js';
import { Members, wrong } from '../members.js';

interface Choice {
  toolChoice: ToolChoice;
  parallelCalls: boolean;
}

const types = ['auto', 'any', 'tool', 'none'] as const;

export function decodeChoice(value: unknown): Choice {
  if (value === undefined || value === null) return { toolChoice: 'auto', parallelCalls: true };
  const choice = Members.of(value, 'tool_choice', "{type: 'auto' | 'any' | 'tool' | 'none'}");
  const type = choice.word('type', types);
  if (type === undefined)
    throw wrong(choice.at('type'), "'auto', 'any', 'tool' or 'none'", choice.peek('type'));
  const toolChoice =
    type === 'tool' ? { name: choice.requiredString('name', 'the name of a tool') } : words[type];
  return { toolChoice, parallelCalls: choice.boolean('disable_parallel_tool_use') !== true };
}

const words = { auto: 'auto', any: 'required', none: 'none' } as const;

/** Gives the choice as the client spelled it, if it still means the same; undefined if the default is meant. */
export function encodeChoice(
  kept: unknown,
  { toolChoice }: Conversation,
  { parallelCalls = true }: Settings,
): unknown {
  const given = decodeChoice(kept);
  if (nameOf(given.toolChoice) === nameOf(toolChoice) && given.parallelCalls === parallelCalls) return kept;
  const single = !parallelCalls && toolChoice !== 'none' && { disable_parallel_tool_use: true };
  if (toolChoice === 'auto' && !single) return undefined;
  return { ...wordChoice(toolChoice), ...single };
}

export function wordChoice(choice: ToolChoice): Record<string, string> {
  if (typeof choice === 'object') return { type: 'tool', name: choice.name };
  return { type: choice === 'required' ? 'any' : choice };
}

function nameOf(choice: ToolChoice): string {
  return typeof choice === 'string' ? choice : `tool ${choice.name}`;
}
