// What is noted of a request's spelling where the model does not tell.

import type { Extra, ModelRequest, ToolChoice } from '../../model/index.js';
import { membersOf, notesOf } from '../notes.js';

/** An item as it came, or one that brings tools, with places for those that were taken. */
export type KeptItem = { item: unknown } | { members: Extra; tools: ToolSlot[] };

/** On a message or a part. */
export interface ItemNotes {
  /** Items the model has no word for, which stood before this one. */
  before?: KeptItem[];
  /** Whether the content was a string, or a list of parts. */
  string?: boolean;
  /** The first part of an assistant's message item: the item's other members. Parts behind it are its own, too. */
  item?: Extra;
  /** A part of a kind we do not know, which holds no text. */
  unknown?: boolean;
  /** The arguments, where they were no JSON object. */
  arguments?: string;
  /** The output of a call, where it was a list that `content` of `extra` does not hold. */
  output?: unknown[];
  /** The output of a call was a list of parts: the member `content` of `extra`. */
  listed?: boolean;
  /** The item's own member of this name, which gave way. */
  content?: unknown;
  /** This system message came as `instructions`. */
  instructions?: boolean;
  /** The role, where it was `developer`. */
  role?: string;
}

/** A place in the list of tools: a function, a tool that was skipped, a namespace with places of its own. */
export type ToolSlot =
  | { name: string }
  | { skipped: unknown }
  | { group: Extra; namespace: string; tools: ToolSlot[] };

export interface ToolNotes {
  /** The name inside of its namespace. */
  bare?: string;
  namespace?: string;
}

export interface RequestNotes {
  /** The input was a string. */
  string?: boolean;
  /** `stream` was there though it was false. */
  stream?: boolean;
  toolChoice?: { said: unknown; read: ToolChoice };
  tools?: ToolSlot[];
  /** Items the model has no word for, behind everything else. */
  after?: KeptItem[];
}

/** Reads the `extra` of a request's parts; of one that came by another API it is as if there were none. */
export type ExtraReader = <N extends object>(extra: Extra | undefined) => { rest: Extra; notes: Partial<N> };

export function extraReader(request: ModelRequest): ExtraReader {
  const own = request.api === 'openai-responses';
  return (extra) => (own ? { rest: membersOf(extra), notes: notesOf(extra) } : { rest: {}, notes: {} });
}

/** A function of a namespace, under one name. */
export function flatName(namespace: string, name: string): string {
  return `${namespace}__${name}`;
}
