// Notes on how a request was spelled, where the model does not hold it.

import type { Extra, ModelRequest, ToolChoice } from '../../model/index.js';
import { membersOf, notesOf } from '../notes.js';

/** An item as it came; or one that brings tools, with the places of the tools that were taken. */
export type KeptItem = { item: unknown } | { members: Extra; tools: ToolSlot[] };

/** Notes on a message or a part. */
export interface ItemNotes {
  /** Items that the model has no type for, which came before this one. */
  before?: KeptItem[];
  /** Whether the content was a string, or a list of parts. */
  string?: boolean;
  /**
   * On the first part of an assistant's message item: the item's other members. The parts after it belong to the item,
   * too.
   */
  item?: Extra;
  /** The part is an item that the model has no type for; `extra` has its members. */
  kept?: boolean;
  /** A part of an unknown kind, without text. */
  unknown?: boolean;
  /** The output of a call, if it was a list that `content` of `extra` does not hold. */
  output?: unknown[];
  /** The output of a call was a list of parts, which is the `content` of `extra`. */
  listed?: boolean;
  /** The item's own member `content`, which was moved here. */
  content?: unknown;
  /** This system message came as `instructions`. */
  instructions?: boolean;
  /** The role, where it was `developer`. */
  role?: string;
}

/** A place in the list of tools: a tool that was taken, one that was skipped, a namespace with places of its own. */
export type ToolSlot =
  | { name: string }
  | { skipped: unknown }
  | { group: Extra; namespace: string; tools: ToolSlot[] };

export interface ToolNotes {
  /** The name within its namespace. */
  bare?: string;
  namespace?: string;
}

export interface RequestNotes {
  /** The input was a string. */
  string?: boolean;
  /** `stream: false` was given explicitly. */
  stream?: boolean;
  toolChoice?: { said: unknown; read: ToolChoice };
  tools?: ToolSlot[];
  /** Items that the model has no type for, after everything else. */
  after?: KeptItem[];
}

/** Reads the `extra` of a request's parts; gives nothing if the request came by another API. */
export type ExtraReader = <N extends object>(extra: Extra | undefined) => { rest: Extra; notes: Partial<N> };

export function extraReader(request: ModelRequest): ExtraReader {
  const own = request.api === 'openai-responses';
  return (extra) => (own ? { rest: membersOf(extra), notes: notesOf(extra) } : { rest: {}, notes: {} });
}

/** Joins a namespace and a function's name into one name. */
export function flatName(namespace: string, name: string): string {
  return `${namespace}__${name}`;
}
