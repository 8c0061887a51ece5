// What models wrote in earlier turns, so that a turn that comes back in a history unchanged goes to the upstream as the
// model wrote it: its words, for upstreams that only write text, and its reasoning, which many clients leave out.
//
// A turn is found by the ids of its calls (or its text), the message before it and its content; every client finds only its
// own. Memory is bounded; the turns that were used last stay. A store, where there is one, has them for other processes.

import { callsOf, reasoningOf, textOf } from '../../engine/message-text.js';
import {
  type AssistantMessage,
  type Message,
  type ModelRequest,
  setWritten,
  type ToolCall,
  type WrittenTurn,
} from '../../model/index.js';
import { mapSame } from '../../model/map-same.js';
import { isConstant, makeConstant } from '../../model/repeated-values.js';
import { sameJson } from '../../wire/same-json.js';
import { digestOfMessage } from './message-digest.js';

export interface KeptTurn {
  /** Text, reasoning and calls as the client got them. */
  parts: AssistantMessage['parts'];
  /** Absent: the upstream has tool calls of its own, and only the reasoning is kept. */
  written?: WrittenTurn | undefined;
}

/** Keeps turns for several processes. Keys are no secrets of the client, but they hold its texts: a store digests them. */
export interface TurnStore {
  get(key: string): Promise<string | undefined>;
  put(key: string, turn: string): void;
}

export interface TurnMemoryOptions {
  /** How many characters are kept. Default 16 Mi. */
  characters?: number;
  store?: TurnStore | undefined;
}

interface Entry extends KeptTurn {
  keys: readonly [place: string, before: string];
  size: number;
  /** The message that it was last recalled for, and what that became. */
  last?: { from: AssistantMessage; to: AssistantMessage };
}

/** What an entry costs besides its characters. */
const ENTRY = 200;
/** Longer turns are not kept. */
export const LONGEST_TURN = 256 * 1024;
/** How many turns of one request are looked for in the store. */
const MOST_ASKED = 200;

export class TurnMemory {
  hits = 0;
  misses = 0;
  readonly #places = new Map<string, Map<string, Entry>>();
  /** Ordered by last use. */
  readonly #entries = new Set<Entry>();
  #characters = 0;

  constructor(readonly options: TurnMemoryOptions = {}) {}

  get size(): { entries: number; characters: number } {
    return { entries: this.#entries.size, characters: this.#characters };
  }

  /** Gives the turns of one client: '' where clients are not told apart. */
  of(client: string): ClientTurns {
    return new ClientTurns(this, client);
  }

  find(place: string, before: () => string): Entry | undefined {
    const turns = this.#places.get(place);
    const entry = turns?.get(before());
    if (entry) {
      this.#entries.delete(entry);
      this.#entries.add(entry);
    }
    return entry;
  }

  add(keys: Entry['keys'], turn: KeptTurn): Entry {
    const [place, before] = keys;
    const turns = this.#places.get(place) ?? new Map<string, Entry>();
    this.#places.set(place, turns);
    const known = turns.get(before);
    if (known) this.#drop(known);
    const entry: Entry = { ...turn, keys, size: sizeOf(turn) + place.length + ENTRY };
    this.#places.set(place, turns.set(before, entry));
    this.#entries.add(entry);
    this.#characters += entry.size;
    const { characters = 16 * 1024 * 1024 } = this.options;
    for (const oldest of this.#entries) {
      if (this.#characters <= characters) break;
      this.#drop(oldest);
    }
    return entry;
  }

  #drop(entry: Entry): void {
    const [place, before] = entry.keys;
    const turns = this.#places.get(place);
    turns?.delete(before);
    if (turns?.size === 0) this.#places.delete(place);
    this.#entries.delete(entry);
    this.#characters -= entry.size;
  }
}

function sizeOf({ parts, written }: KeptTurn): number {
  let size = written?.text.length ?? 0;
  for (const part of parts) size += part.type === 'tool-call' ? (part.raw?.length ?? 0) : part.text.length;
  return size;
}

/** The turns of one client. */
export class ClientTurns {
  constructor(
    readonly memory: TurnMemory,
    readonly client: string,
  ) {}

  /** Keeps the answer to a request. */
  keep({ conversation: { messages } }: ModelRequest, turn: KeptTurn): void {
    const answer: AssistantMessage = { role: 'assistant', parts: turn.parts };
    const keys = [this.#placeOf(answer), digestOfMessage(messages.at(-1))] as const;
    const entry = this.memory.add(keys, turn);
    this.memory.options.store?.put(
      keys.join('\n'),
      JSON.stringify({ parts: entry.parts, written: entry.written }),
    );
  }

  /** Gives the request with the words and the reasoning of the turns that it has unchanged. */
  recall(request: ModelRequest): ModelRequest | Promise<ModelRequest> {
    const { store } = this.memory.options;
    const unknown = store ? this.#unknownIn(request.conversation.messages) : [];
    if (unknown.length === 0) return this.#recalled(request);
    return this.#ask(unknown, store as TurnStore).then(() => this.#recalled(request));
  }

  #recalled(request: ModelRequest): ModelRequest {
    const { conversation } = request;
    const messages = mapSame(conversation.messages, (message, at) =>
      message.role === 'assistant' ? this.#turn(message, conversation.messages[at - 1]) : message,
    );
    if (messages === conversation.messages) return request;
    return { ...request, conversation: { ...conversation, messages } };
  }

  #turn(message: AssistantMessage, before: Message | undefined): AssistantMessage {
    const entry = this.memory.find(this.#placeOf(message), () => digestOfMessage(before));
    if (entry?.last?.from === message) {
      this.memory.hits++;
      return entry.last.to;
    }
    if (!entry || !isUnchanged(message, entry)) {
      this.memory.misses++;
      return message;
    }
    this.memory.hits++;
    const to = withTurn(message, entry);
    if (isConstant(message)) entry.last = { from: message, to: makeConstant(to) };
    return to;
  }

  #placeOf(message: AssistantMessage): string {
    const calls = callsOf(message);
    const ids = calls.map(({ id }) => id).join('\n');
    return `${this.client}\n${calls.length > 0 ? ids : textOf(message).trim()}`;
  }

  // --- the store -----------------------------------------------------------------------------------------

  #unknownIn(messages: readonly Message[]): string[] {
    const keys: string[] = [];
    for (let at = messages.length - 1; at >= 0 && keys.length < MOST_ASKED; at--) {
      const message = messages[at] as Message;
      if (message.role !== 'assistant' || this.#wasAsked(message)) continue;
      const place = this.#placeOf(message);
      const before = digestOfMessage(messages[at - 1]);
      if (!this.memory.find(place, () => before)) keys.push(`${place}\n${before}`);
    }
    return keys;
  }

  /** Whether the store was asked for this message, and notes that it is now. Messages of a session come again. */
  #wasAsked(message: AssistantMessage): boolean {
    const clients = askedFor.get(message) ?? new Set<string>();
    askedFor.set(message, clients);
    const was = clients.has(this.client);
    clients.add(this.client);
    return was;
  }

  async #ask(keys: readonly string[], store: TurnStore): Promise<void> {
    const found = await Promise.all(keys.map((key) => store.get(key).catch(() => undefined)));
    for (const [at, text] of found.entries()) {
      const key = keys[at] as string;
      const split = key.lastIndexOf('\n');
      const turn = text === undefined ? undefined : readTurn(text);
      if (turn) this.memory.add([key.slice(0, split), key.slice(split + 1)], turn);
    }
  }
}

const askedFor = new WeakMap<AssistantMessage, Set<string>>();

/** Reads what `keep` has put into the store. Undefined: another version of this program has put it there. */
function readTurn(text: string): KeptTurn | undefined {
  try {
    const { parts, written }: Partial<KeptTurn> = JSON.parse(text);
    const isKnown = Array.isArray(parts) && (written === undefined || typeof written.text === 'string');
    return isKnown ? { parts, written } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the client sent the turn as it got it. It may leave out the reasoning. */
function isUnchanged(message: AssistantMessage, { parts }: KeptTurn): boolean {
  const kept: AssistantMessage = { role: 'assistant', parts };
  if (textOf(message).trim() !== textOf(kept).trim()) return false;
  const [calls, own] = [callsOf(message), callsOf(kept)];
  if (calls.length !== own.length || !calls.every((call, at) => isSameCall(call, own[at]))) return false;
  const thought = reasoningOf(message)?.trim();
  return !thought || thought === reasoningOf(kept)?.trim();
}

function isSameCall(one: ToolCall, other: ToolCall | undefined): boolean {
  if (one.id !== other?.id || one.name !== other.name || one.broken !== undefined) return false;
  return (one.raw !== undefined && one.raw === other.raw) || sameJson(one.input, other.input);
}

/** Gives the message with the reasoning that the client left out, and with the model's own words. */
function withTurn(message: AssistantMessage, { parts, written }: KeptTurn): AssistantMessage {
  const thoughts = parts.filter((part) => part.type === 'reasoning');
  const lacks = thoughts.length > 0 && reasoningOf(message) === undefined;
  const to = { ...message, parts: lacks ? [...thoughts, ...message.parts] : [...message.parts] };
  return written ? setWritten(to, written) : to;
}
