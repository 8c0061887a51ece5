// What models wrote in earlier turns, so that a turn that comes back in a history unchanged goes to the upstream as the
// model wrote it: its words, for upstreams that only write text, and its reasoning, which many clients leave out.
//
// A turn is found by the client, the model, the ids of its calls (or its text) and what came before it, and its content is
// compared. Memory is bounded; the turns that were used last stay. A store, where there is one, has the words for other
// processes.

import { callsOf, reasoningOf, textOf } from '../../engine/message-text.js';
import { isConstant, makeConstant } from '../../model/constants.js';
import {
  type AssistantMessage,
  type ModelRequest,
  setWritten,
  type ToolCall,
  type WrittenTurn,
} from '../../model/index.js';
import { mapSame } from '../../model/map-same.js';
import { sameJson } from '../../wire/same-json.js';
import { HistoryDigests } from './history-digests.js';
import { setRecalled } from './recalled-reasoning.js';
import { type TurnStore, TurnStoreReader } from './turn-store.js';

export interface KeptTurn {
  /** Text, reasoning and calls as the client got them. */
  parts: AssistantMessage['parts'];
  /** Absent: the upstream has tool calls of its own, and only the reasoning is kept. */
  written?: WrittenTurn | undefined;
  /** The upstream that wrote it, in this process: only there does its reasoning belong. */
  upstream?: object | undefined;
}

export interface TurnMemoryOptions {
  /** How many characters are kept. Default 16 Mi. */
  characters?: number;
  store?: TurnStore | undefined;
}

type Keys = readonly [place: string, before: string];

interface Entry extends KeptTurn {
  keys: Keys;
  size: number;
  /** The message that it was last recalled for, and what that became. */
  last?: { from: AssistantMessage; to: AssistantMessage };
}

/** What an entry costs besides its characters, in bytes of memory: objects, keys and their places in two maps. */
const ENTRY = 1200;
/** Longer turns are not kept. */
const LONGEST_TURN = 256 * 1024;
/** How many characters of answers that are being written are noted, of all requests together. */
const MOST_NOTED = 4 * 1024 * 1024;

/** What one answer may note. It is given back when the answer is over, at the latest when nobody holds it any more. */
export interface NotingShare {
  /** False if there is no room: then nothing more may be noted. */
  take(characters: number): boolean;
  giveBack(): void;
}

export class TurnMemory {
  hits = 0;
  misses = 0;
  /** How many characters are kept at most. */
  readonly most: number;
  readonly reader: TurnStoreReader | undefined;
  readonly #places = new Map<string, Map<string, Entry>>();
  /** Ordered by last use. */
  readonly #entries = new Set<Entry>();
  #characters = 0;
  #noted = 0;
  /** Answers that ended without a word, as when a connection breaks. */
  readonly #lost = new FinalizationRegistry<{ characters: number }>((taken) => this.#giveBack(taken));

  constructor(readonly options: TurnMemoryOptions = {}) {
    this.most = options.characters ?? 16 * 1024 * 1024;
    this.reader = options.store && new TurnStoreReader(options.store);
  }

  get size(): { entries: number; characters: number } {
    return { entries: this.#entries.size, characters: this.#characters };
  }

  /** Gives the turns of one client; undefined where clients are not told apart. */
  of(client: string | undefined): ClientTurns {
    return new ClientTurns(this, client);
  }

  /**
   * `owner`: an object that only the reader that notes holds. What it took is given back when it is gone. It must hold
   * nothing itself: until the next full collection, the engine keeps what is registered here with all that it holds.
   */
  share(owner: object): NotingShare {
    const taken = { characters: 0 };
    return {
      take: (characters) => {
        // What is registered with the owner must not hold it: a closure of this function would.
        if (taken.characters === 0 && characters > 0) this.#lost.register(owner, taken, taken);
        taken.characters += characters;
        this.#noted += characters;
        return taken.characters <= LONGEST_TURN && this.#noted <= MOST_NOTED;
      },
      giveBack: () => this.#giveBack(taken),
    };
  }

  #giveBack(taken: { characters: number }): void {
    this.#noted -= taken.characters;
    taken.characters = 0;
    this.#lost.unregister(taken);
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

  add(keys: Keys, turn: KeptTurn): void {
    const [place, before] = keys;
    const known = this.#places.get(place)?.get(before);
    if (known) this.#drop(known);
    const entry: Entry = { ...turn, keys, size: sizeOf(turn) + place.length + ENTRY };
    const turns = this.#places.get(place) ?? new Map<string, Entry>();
    this.#places.set(place, turns.set(before, entry));
    this.#entries.add(entry);
    this.#characters += entry.size;
    for (const oldest of this.#entries) {
      if (this.#characters <= this.most) break;
      this.#drop(oldest);
    }
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

/** Arguments count twice: as text and as the values in it. */
function sizeOf({ parts, written }: KeptTurn): number {
  let size = written?.text.length ?? 0;
  for (const part of parts) {
    size += part.type === 'tool-call' ? 2 * (part.raw?.length ?? 0) : part.text.length;
    if (part.extra) size += JSON.stringify(part.extra).length;
  }
  return size;
}

/** The turns of one client. */
export class ClientTurns {
  constructor(
    readonly memory: TurnMemory,
    readonly client: string | undefined,
  ) {}

  /** Keeps the answer to a request. */
  keep(request: ModelRequest, turn: KeptTurn): void {
    const { messages } = request.conversation;
    const answer: AssistantMessage = { role: 'assistant', parts: turn.parts };
    const history = this.#historyOf(request);
    const keys = [this.#placeOf(request, answer), history.before(messages.length, answer)] as const;
    this.memory.add(keys, turn);
    const { parts, written } = turn;
    if (written) this.memory.options.store?.put(keys.join('\n'), JSON.stringify({ parts, written }));
  }

  /** Gives the request with the words of the turns that it has unchanged; their reasoning is at hand. */
  recall(request: ModelRequest): ModelRequest | Promise<ModelRequest> {
    const history = this.#historyOf(request);
    const { reader } = this.memory;
    const unknown = reader ? this.#unknownIn(request, history) : [];
    if (!reader || unknown.length === 0) return this.#recalled(request, history);
    const found = (keys: string, turn: KeptTurn) => {
      const split = keys.lastIndexOf('\n');
      this.memory.add([keys.slice(0, split), keys.slice(split + 1)], turn);
    };
    return reader.ask(unknown, found).then(() => this.#recalled(request, history));
  }

  #recalled(request: ModelRequest, history: HistoryDigests): ModelRequest {
    const { conversation } = request;
    const messages = mapSame(conversation.messages, (message, at) =>
      message.role === 'assistant'
        ? this.#turn(request, message, () => history.before(at, message))
        : message,
    );
    if (messages === conversation.messages) return request;
    return { ...request, conversation: { ...conversation, messages } };
  }

  #turn(request: ModelRequest, message: AssistantMessage, before: () => string): AssistantMessage {
    const entry = this.memory.find(this.#placeOf(request, message), before);
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

  #unknownIn(request: ModelRequest, history: HistoryDigests): string[] {
    return request.conversation.messages.flatMap((message, at) => {
      if (message.role !== 'assistant') return [];
      const keys = [this.#placeOf(request, message), history.before(at, message)] as const;
      return this.memory.find(keys[0], () => keys[1]) ? [] : [keys.join('\n')];
    });
  }

  /** A system text may change from request to request. Only where clients are not told apart does it count. */
  #historyOf({ conversation: { messages } }: ModelRequest): HistoryDigests {
    return new HistoryDigests(messages, this.client === undefined);
  }

  #placeOf({ model }: ModelRequest, message: AssistantMessage): string {
    const calls = callsOf(message);
    const named = calls.length > 0 ? calls.map(({ id }) => id).join('\n') : textOf(message).trim();
    return `${this.client ?? ''}\n${model}\n${named}`;
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

/** Gives a copy of the message that has the model's own words. */
function withTurn(message: AssistantMessage, turn: KeptTurn): AssistantMessage {
  const to = setRecalled({ ...message, parts: [...message.parts] }, turn);
  return turn.written ? setWritten(to, turn.written) : to;
}
