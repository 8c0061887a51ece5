// Brings calls and their results into the order that upstreams demand: every message with calls is followed directly by
// one result for each of its calls, and by no other result; no two calls have the same id.
//
//   OpenAI, DeepSeek, Qwen   "An assistant message with 'tool_calls' must be followed by tool messages responding to each
//                            'tool_call_id'"; "messages with role 'tool' must be a response to a preceeding message with
//                            'tool_calls'"                              qwen-code#606, semantic-kernel#12708, dify#32222
//   OpenAI Responses         "No tool output found for function call …", "No tool call found for function call output …";
//                            DeepSeek also if an item stands between a call and its output   awesome-deepseek-integration#740
//   Anthropic                "`tool_use` ids were found without `tool_result` blocks immediately after", "unexpected
//                            `tool_use_id` found in `tool_result` blocks", "`tool_use` ids must be unique"
//                                                                       claude-code#3512, claude-code#13460, claude-code#28515

import type {
  AssistantMessage,
  Message,
  ToolCall,
  ToolMessage,
  ToolResult,
  UserMessage,
} from '../../model/index.js';
import { joinMessages } from './join-messages.js';
import { type Mends, type PlacedMessage, partPath, quoted } from './mends.js';
import { lostResult, notRun, toolMessages, withNote } from './result-messages.js';

/** A call that waits for its result. */
interface Waiting {
  call: ToolCall;
  turn: CallTurn;
}

/** A message with calls, and the results that were found for them, in the order in which they came. */
interface CallTurn {
  message: AssistantMessage;
  at: number;
  results: { result: ToolResult; source: ToolMessage }[];
  answered: Set<ToolCall>;
}

/** Calls of the same id in one turn, which may be several messages. They are answered in their order. */
interface Namesakes {
  turn: number;
  calls: Waiting[];
  next: number;
}

type Entry = CallTurn | { message: Message; lost?: true };

/**
 * Gives the messages in that order. A result belongs to the latest turn that has an open call of its id, and there to
 * the first. `notes` are put before the results of calls whose arguments were lost.
 */
export function pairResults(
  messages: readonly PlacedMessage[],
  notes: Map<ToolCall, string>,
  mends: Mends,
): Message[] {
  if (notes.size === 0 && isPaired(messages)) return messages.map(({ message }) => message);
  const pairing = new Pairing(notes, mends);
  for (const placed of messages) pairing.add(placed);
  return pairing.entries.flatMap((entry) => ('results' in entry ? pairing.written(entry) : [entry.message]));
}

/** Whether they have that order, and ids that differ: most histories do, and then nothing is built of them. */
function isPaired(messages: readonly PlacedMessage[]): boolean {
  const ids = new Set<string>();
  /** The calls that wait for a result. */
  const open = new Set<string>();
  for (const { message } of messages) {
    if (message.role === 'tool') {
      if (message.parts.length === 0) return false;
      for (const { callId } of message.parts) if (!open.delete(callId)) return false;
      continue;
    }
    if (open.size > 0) return false;
    if (message.role !== 'assistant') continue;
    for (const part of message.parts) {
      if (part.type !== 'tool-call') continue;
      if (part.id === '' || ids.has(part.id)) return false;
      ids.add(part.id);
      open.add(part.id);
    }
  }
  return open.size === 0;
}

class Pairing {
  readonly entries: Entry[] = [];
  /** The ids that were given, each with the number that made the last new id of it. */
  readonly #ids = new Map<string, number>();
  readonly #open = new Map<string, Namesakes[]>();
  /** Counts turns: messages of the assistant in a row are one. */
  #turn = 0;
  #before: Message['role'] | undefined;
  /** The message with calls that the next result would follow directly. */
  #near: CallTurn | undefined;

  constructor(
    private readonly notes: Map<ToolCall, string>,
    private readonly mends: Mends,
  ) {}

  add({ message, at }: PlacedMessage): void {
    if (message.role === 'tool') this.#results(message, at);
    else {
      this.#near = undefined;
      if (message.role === 'assistant') this.#assistant(message, at);
      else this.#other(message);
    }
    this.#before = message.role;
  }

  #other(message: Message): void {
    const last = this.entries.at(-1);
    const joins = message.role === 'user' && last?.message.role === 'user' && 'lost' in last;
    if (joins) last.message = joinMessages([last.message as UserMessage, message]);
    else this.entries.push({ message });
  }

  #assistant(given: AssistantMessage, at: number): void {
    if (this.#before !== 'assistant') this.#turn++;
    const message = this.#withOwnIds(given, at);
    const turn: CallTurn = { message, at, results: [], answered: new Set() };
    for (const [place, call] of message.parts.entries()) {
      const came = given.parts[place];
      if (call.type === 'tool-call' && came?.type === 'tool-call') this.#wait(came.id, { call, turn });
    }
    this.entries.push(turn);
    this.#near = turn;
  }

  #withOwnIds(message: AssistantMessage, at: number): AssistantMessage {
    let changed = false;
    const parts = message.parts.map((part, place) => {
      const id = part.type === 'tool-call' ? this.#freshId(part.id) : '';
      if (part.type !== 'tool-call' || id === part.id) return part;
      const told = `Another call before has the id ${quoted(part.id)}: it became ${quoted(id)}.`;
      this.mends.add('duplicate-id', partPath(at, place), told);
      const call = { ...part, id };
      const note = this.notes.get(part);
      if (note !== undefined) this.notes.set(call, note);
      changed = true;
      return call;
    });
    return changed ? { ...message, parts } : message;
  }

  /** Looks back only, so that a growing history keeps the ids that it was sent with. */
  #freshId(id: string): string {
    let fresh = id;
    let count = this.#ids.get(id) ?? (id === '' ? 0 : 1);
    while (fresh === '' || this.#ids.has(fresh)) fresh = `${id || 'call'}_${++count}`;
    this.#ids.set(id, count);
    this.#ids.set(fresh, 1);
    return fresh;
  }

  #wait(id: string, waiting: Waiting): void {
    const stack = this.#open.get(id) ?? [];
    const last = stack.at(-1);
    if (last?.turn === this.#turn) last.calls.push(waiting);
    else stack.push({ turn: this.#turn, calls: [waiting], next: 0 });
    this.#open.set(id, stack);
  }

  #take(id: string): Waiting | undefined {
    const stack = this.#open.get(id) ?? [];
    const last = stack.at(-1);
    const waiting = last?.calls[last.next++];
    if (last?.next === last?.calls.length) stack.pop();
    return waiting;
  }

  #results(source: ToolMessage, at: number): void {
    if (source.parts.length === 0) this.entries.push({ message: source });
    for (const [place, part] of source.parts.entries()) {
      const path = partPath(at, place);
      const id = quoted(part.callId);
      const waiting = this.#take(part.callId);
      if (waiting === undefined) {
        const told = `No call with the id ${id} waits for this result: it became a user's text.`;
        this.mends.add('result-without-call', path, told);
        this.#lose(part);
        continue;
      }
      const { call, turn } = waiting;
      if (turn !== this.#near)
        this.mends.add('moved-result', path, `The result of the call ${id} was moved to directly after it.`);
      turn.results.push({ result: part.callId === call.id ? part : { ...part, callId: call.id }, source });
      turn.answered.add(call);
    }
  }

  /** Adds a result as a user's text, to the user's message before it if there is one. */
  #lose(result: ToolResult): void {
    const message = lostResult(result);
    const last = this.entries.at(-1);
    if (last?.message.role !== 'user') this.entries.push({ message, lost: true });
    else
      this.entries[this.entries.length - 1] = { message: joinMessages([last.message, message]), lost: true };
  }

  /** Gives a message with its results. Calls without one get a result that says so. */
  written({ message, at, results, answered }: CallTurn): Message[] {
    const notes = new Map<string, string>();
    const all = [...results];
    for (const [place, call] of message.parts.entries()) {
      if (call.type !== 'tool-call') continue;
      const note = this.notes.get(call);
      if (note !== undefined) notes.set(call.id, note);
      if (answered.has(call)) continue;
      const told = `The call ${quoted(call.id)} had no result: one was added that says so.`;
      this.mends.add('missing-result', partPath(at, place), told);
      all.push({ result: notRun(call), source: { role: 'tool', parts: [] } });
    }
    return [message, ...toolMessages(all, (result) => withNote(result, notes.get(result.callId)))];
  }
}
