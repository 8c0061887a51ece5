// Writes the tools of a request: each at the place it came from, new ones after them.

import { functionEntry, isFreeform } from '../../model/freeform.js';
import {
  type Conversation,
  type Extra,
  type Freeform,
  isObject,
  type Tool,
  type ToolChoice,
} from '../../model/index.js';
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

  /** Writes the tools that have no place of their own: those that were added since. */
  rest(): unknown[] {
    return [...this.#left].map((tool) => encodeTool(tool, this.read));
  }

  /** Writes a namespace, unless all of its tools were removed. */
  #group(slot: { group: Extra; namespace: string; tools: ToolSlot[] }): unknown[] {
    const tools = this.place(slot.tools);
    if (tools.length === 0 && slot.tools.length > 0) return [];
    return [{ ...slot.group, name: slot.namespace, tools }];
  }
}

function encodeTool(tool: Tool, read: ExtraReader): Extra {
  const { rest, notes } = read<ToolNotes>(tool.extra);
  if (tool.freeform !== undefined) return encodeCustom(tool, tool.freeform, rest, notes);
  const definition = {
    ...(tool.description !== undefined && { description: tool.description }),
    ...(tool.parameters !== undefined && { parameters: tool.parameters }),
  };
  if (rest.type === 'function') return { ...rest, name: spell(tool.name, notes).name, ...definition };
  // `strict` is given explicitly, because this API takes a function without it for strict.
  const schema = typeof tool.parameters === 'object' ? tool.parameters : { type: 'object', properties: {} };
  const { name } = spell(tool.name, notes);
  return { type: 'function', name, ...definition, parameters: schema, strict: false };
}

function encodeCustom(
  { name, description }: Tool,
  { grammar }: Freeform,
  rest: Extra,
  notes: ToolNotes,
): Extra {
  return {
    ...(grammar && { format: { type: 'grammar', ...grammar } }),
    ...rest,
    type: 'custom',
    name: spell(name, notes).name,
    ...(description !== undefined && { description }),
  };
}

interface Spelling {
  name: string;
  namespace?: string;
}

/** Gives the name within its namespace, as long as the tool still has the name it came with. */
function spell(name: string, { bare, namespace }: ToolNotes): Spelling {
  if (bare === undefined || namespace === undefined || flatName(namespace, bare) !== name) return { name };
  return { name: bare, namespace };
}

/** Gives the name and the namespace by which a call names its tool. */
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
  const same = came === undefined ? toolChoice === 'auto' : sameChoice(came.read, toolChoice);
  if (same && !isFunctionNow(toolChoice, tools, read)) return withFunctions(came?.said, tools, read);
  // The API refuses a tool choice without tools.
  if (came === undefined && tools.length === 0) return undefined;
  if (typeof toolChoice === 'string') return toolChoice;
  const type = isFreeform(toolChoice, tools) ? 'custom' : 'function';
  return { type, ...callSpelling(toolChoice.name, tools, read) };
}

/** Gives a choice as it came. Its list of allowed tools has functions for freeform tools that are written as such. */
function withFunctions(choice: unknown, tools: readonly Tool[], read: ExtraReader): unknown {
  if (!isObject(choice) || !Array.isArray(choice.tools)) return choice;
  const allowed = choice.tools.map((entry) => {
    const { name, namespace } = Object(entry) as Partial<Spelling>;
    const flat = namespace === undefined ? name : flatName(namespace, name ?? '');
    return flat !== undefined && isFunctionNow({ name: flat }, tools, read) ? functionEntry(entry) : entry;
  });
  return { ...choice, tools: allowed };
}

/** Whether the chosen tool came as a freeform one, and is written as a function. */
function isFunctionNow(choice: ToolChoice, tools: readonly Tool[], read: ExtraReader): boolean {
  if (typeof choice === 'string') return false;
  const tool = tools.find(({ name }) => name === choice.name);
  return tool !== undefined && tool.freeform === undefined && read(tool.extra).rest.type === 'custom';
}

function sameChoice(one: ToolChoice, other: ToolChoice): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.name === other.name;
}
