// The tools of a request, written: each at the place it came from, new ones behind.

import type { Conversation, Extra, Tool, ToolChoice } from '../../model/index.js';
import { type ExtraReader, flatName, type RequestNotes, type ToolNotes, type ToolSlot } from './notes.js';

/** Undefined if nothing is to be said of tools. */
export function encodeTools(
  tools: readonly Tool[],
  slots: ToolSlot[] | undefined,
  read: ExtraReader,
): unknown[] | undefined {
  const pool = new Pool(tools);
  const placed = fill(slots ?? [], pool, read);
  const all = [...placed, ...pool.left().map((tool) => encodeTool(tool, read))];
  return all.length === 0 && slots === undefined ? undefined : all;
}

/** Tools by name, each handed out once. */
class Pool {
  readonly #tools: Set<Tool>;
  readonly #named = new Map<string, Tool[]>();

  constructor(tools: readonly Tool[]) {
    this.#tools = new Set(tools);
    for (const tool of tools) this.#named.set(tool.name, [...(this.#named.get(tool.name) ?? []), tool]);
  }

  take(name: string): Tool | undefined {
    const tool = this.#named.get(name)?.shift();
    if (tool !== undefined) this.#tools.delete(tool);
    return tool;
  }

  left(): Tool[] {
    return [...this.#tools];
  }
}

function fill(slots: ToolSlot[], pool: Pool, read: ExtraReader): unknown[] {
  return slots.flatMap((slot) => {
    if ('skipped' in slot) return [slot.skipped];
    if ('group' in slot) return fillGroup(slot, pool, read);
    const tool = pool.take(slot.name);
    return tool === undefined ? [] : [encodeTool(tool, read)];
  });
}

/** A namespace whose tools were all removed goes with them. */
function fillGroup(
  slot: { group: Extra; namespace: string; tools: ToolSlot[] },
  pool: Pool,
  read: ExtraReader,
): unknown[] {
  const tools = fill(slot.tools, pool, read);
  if (tools.length === 0 && slot.tools.length > 0) return [];
  return [{ ...slot.group, name: slot.namespace, tools }];
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
  if (typeof toolChoice === 'string') return toolChoice;
  return { type: 'function', ...callSpelling(toolChoice.name, tools, read) };
}

function sameChoice(one: ToolChoice, other: ToolChoice): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.name === other.name;
}
