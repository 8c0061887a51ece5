// The tools of a request, written: each at the place it came from, new ones behind.

import type { Conversation, Extra, Tool, ToolChoice } from '../../model/index.js';
import { type ExtraReader, flatName, type RequestNotes, type ToolNotes, type ToolSlot } from './spelling.js';

/** Puts the tools of a request into their places, each once. */
export class ToolPlacer {
  readonly #left: Set<Tool>;
  readonly #named = new Map<string, Tool[]>();

  constructor(
    tools: readonly Tool[],
    private readonly read: ExtraReader,
  ) {
    this.#left = new Set(tools);
    for (const tool of tools) {
      const namesakes = this.#named.get(tool.name);
      if (namesakes === undefined) this.#named.set(tool.name, [tool]);
      else namesakes.push(tool);
    }
  }

  place(slots: ToolSlot[]): unknown[] {
    return slots.flatMap((slot) => {
      if ('skipped' in slot) return [slot.skipped];
      if ('group' in slot) return this.#group(slot);
      const tool = this.#named.get(slot.name)?.shift();
      if (tool === undefined) return [];
      this.#left.delete(tool);
      return [encodeTool(tool, this.read)];
    });
  }

  /** The tools that came from nowhere. */
  rest(): unknown[] {
    return [...this.#left].map((tool) => encodeTool(tool, this.read));
  }

  /** A namespace whose tools were all removed goes with them. */
  #group(slot: { group: Extra; namespace: string; tools: ToolSlot[] }): unknown[] {
    const tools = this.place(slot.tools);
    if (tools.length === 0 && slot.tools.length > 0) return [];
    return [{ ...slot.group, name: slot.namespace, tools }];
  }
}

function encodeTool(tool: Tool, read: ExtraReader): Extra {
  const { rest, notes } = read<ToolNotes>(tool.extra);
  const said = {
    ...(tool.description !== undefined && { description: tool.description }),
    ...(tool.parameters !== undefined && { parameters: tool.parameters }),
  };
  if (rest.type === 'function') return { ...rest, name: spell(tool.name, notes).name, ...said };
  // `strict` has to be said: this API takes a function for strict where nothing is.
  const schema = typeof tool.parameters === 'object' ? tool.parameters : { type: 'object', properties: {} };
  return { type: 'function', name: tool.name, ...said, parameters: schema, strict: false };
}

interface Spelling {
  name: string;
  namespace?: string;
}

/** The name inside of its namespace, as long as the tool still has the name it came with. */
function spell(name: string, { bare, namespace }: ToolNotes): Spelling {
  if (bare === undefined || namespace === undefined || flatName(namespace, bare) !== name) return { name };
  return { name: bare, namespace };
}

/** How a call of a tool says whom it calls. */
export function callSpelling(name: string, tools: readonly Tool[], read: ExtraReader): Spelling {
  const tool = tools.find((candidate) => candidate.name === name);
  return tool === undefined ? { name } : spell(name, read<ToolNotes>(tool.extra).notes);
}

export function encodeToolChoice(
  { toolChoice, tools }: Conversation,
  notes: RequestNotes,
  read: ExtraReader,
): unknown {
  const came = notes.toolChoice;
  if (came === undefined ? toolChoice === 'auto' : sameChoice(came.read, toolChoice)) return came?.said;
  // A choice without tools is refused.
  if (came === undefined && tools.length === 0) return undefined;
  if (typeof toolChoice === 'string') return toolChoice;
  return { type: 'function', ...callSpelling(toolChoice.name, tools, read) };
}

function sameChoice(one: ToolChoice, other: ToolChoice): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.name === other.name;
}
