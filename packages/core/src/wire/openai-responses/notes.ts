// What is kept in `extra`: the members of this API that the model has no word for, and beside them, under one
// key, notes on how what the model does have a word for was spelled.

import type { Extra, ModelRequest, ToolChoice } from '../../model/index.js';
import { setMember } from '../values.js';

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
  /** The output of a call, where it was a list of parts. */
  output?: unknown[];
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

const key = 'dragoman:notes';

/** A member of a client that has our key's name gives way and is kept inside. */
export function withNotes(rest: Extra | undefined, notes: object): { extra?: Extra } {
  const clash = rest !== undefined && Object.hasOwn(rest, key);
  if (!clash && Object.keys(notes).length === 0) return rest === undefined ? {} : { extra: rest };
  return { extra: { ...rest, [key]: clash ? { ...notes, clash: rest[key] } : notes } };
}

/** The part with these notes beside those it has. */
export function addNotes<P extends { extra?: Extra }>(part: P, notes: object): P {
  const had = part.extra?.[key];
  return { ...part, extra: { ...part.extra, [key]: { ...(had as object | undefined), ...notes } } };
}

interface Kept<N> {
  rest: Extra;
  notes: N;
}

/** What `withNotes` put together. */
function readExtra<N extends object>(extra: Extra | undefined): Kept<N> {
  const { [key]: found, ...rest } = extra ?? {};
  const notes = (found ?? {}) as N & { clash?: unknown };
  if (Object.hasOwn(notes, 'clash')) setMember(rest, key, notes.clash);
  return { rest, notes };
}

/** Reads the `extra` of a request's parts; of one that came by another API it is as if there were none. */
export type ExtraReader = <N extends object>(extra: Extra | undefined) => Kept<N>;

export function extraReader(request: ModelRequest): ExtraReader {
  return request.api === 'openai-responses' ? readExtra : () => readExtra(undefined);
}

/** A function of a namespace, under one name. */
export function flatName(namespace: string, name: string): string {
  return `${namespace}__${name}`;
}
