// Links calls and their results: by id, or by order where ids are missing.

import { isConstant, makeConstant } from './constants.js';
import type { Message, ToolCall, ToolMessage, ToolResult } from './conversation.js';
import { copyWritten } from './written-turn.js';

/**
 * Fills in what was left empty: ids of calls (counted, so that the same conversation always gets the same ids), the
 * call that a result answers, a result's name. Changes the list and the messages it is given; constants are replaced.
 */
export function linkCalls(messages: Message[]): Message[] {
  const nextId = idMaker(messages);
  const names = new Map<string, string>();
  let open = new OpenCalls(new Set());
  for (const [at, given] of messages.entries()) {
    const message = isConstant(given) ? changeable(given, names) : given;
    messages[at] = message;
    if (message.role === 'assistant') {
      // One turn may be several assistant messages; their calls wait for results together.
      if (messages[at - 1]?.role !== 'assistant') open = new OpenCalls(answeredAfter(messages, at));
      for (const call of callsOf(message)) {
        call.id ||= nextId();
        names.set(call.id, call.name);
        open.add(call);
      }
    }
    if (message.role === 'tool' && !isConstant(message)) {
      for (const result of message.parts) link(result, open, names, nextId);
    }
  }
  return messages;
}

/** Gives a constant that needs no link as it is, one that only lacks known names with them, and a copy of any other. */
function changeable(message: Message, names: ReadonlyMap<string, string>): Message {
  if (message.role === 'assistant' && callsOf(message).every(({ id }) => id !== '')) return message;
  if (message.role === 'tool' && message.parts.every(({ callId }) => callId !== ''))
    return withNames(message, names);
  return copied(message);
}

/** Does the same as `linkCalls`, and changes none of the messages it is given. */
export function linkCopies(messages: readonly Message[]): Message[] {
  return linkCalls(messages.map((message) => (isConstant(message) ? message : copied(message))));
}

/** Copies what a link may change. */
function copied(message: Message): Message {
  if (message.role === 'assistant')
    return copyWritten(message, { ...message, parts: message.parts.map((part) => ({ ...part })) });
  return message.role === 'tool'
    ? { ...message, parts: message.parts.map((part) => ({ ...part })) }
    : message;
}

const named = new WeakMap<Message, { names: string; message: ToolMessage }>();

/** The names mostly are the same as before: then the message is, too. */
function withNames(message: ToolMessage, names: ReadonlyMap<string, string>): ToolMessage {
  const found = message.parts.map(({ callId, name }) => name ?? names.get(callId));
  if (found.every((name, at) => name === message.parts[at]?.name)) return message;
  const key = JSON.stringify(found);
  const known = named.get(message);
  if (known?.names === key) return known.message;
  const parts = message.parts.map((part, at) => {
    const name = found[at];
    return name === undefined ? part : { ...part, name };
  });
  const linked = makeConstant({ ...message, parts });
  named.set(message, { names: key, message: linked });
  return linked;
}

function link(result: ToolResult, open: OpenCalls, names: Map<string, string>, nextId: () => string): void {
  // A truncated history may hold results whose calls are gone. They are kept and get an id.
  result.callId ||= open.take(result.name)?.id ?? nextId();
  const name = result.name ?? names.get(result.callId);
  if (name !== undefined) result.name = name;
}

/** The calls of a turn that wait for results without an id, in order. A result prefers a call of its own name. */
class OpenCalls {
  private readonly all = new Queue();
  private readonly named = new Map<string, Queue>();
  private readonly taken = new Set<ToolCall>();

  /** `answered`: ids that results state themselves, so that results without an id do not take those calls. */
  constructor(private readonly answered: Set<string>) {}

  add(call: ToolCall): void {
    if (this.answered.has(call.id)) return;
    const namesakes = this.named.get(call.name) ?? new Queue();
    this.named.set(call.name, namesakes);
    namesakes.calls.push(call);
    this.all.calls.push(call);
  }

  take(name: string | undefined): ToolCall | undefined {
    const namesakes = name === undefined ? undefined : this.named.get(name);
    const call = namesakes?.next(this.taken) ?? this.all.next(this.taken);
    if (call !== undefined) this.taken.add(call);
    return call;
  }
}

/** A queue that passes each call once, however often `next` is called: a turn of many calls stays linear. */
class Queue {
  readonly calls: ToolCall[] = [];
  private at = 0;

  next(taken: Set<ToolCall>): ToolCall | undefined {
    while (this.at < this.calls.length) {
      const call = this.calls[this.at++];
      if (call !== undefined && !taken.has(call)) return call;
    }
    return undefined;
  }
}

/** Gives the ids that the results after this turn state. */
function answeredAfter(messages: Message[], at: number): Set<string> {
  const ids = new Set<string>();
  let next = at;
  while (messages[next]?.role === 'assistant') next++;
  for (; next < messages.length && messages[next]?.role !== 'assistant'; next++) {
    const message = messages[next];
    if (message?.role === 'tool') for (const result of message.parts) ids.add(result.callId);
  }
  return ids;
}

/** Makes ids call_1, call_2 …, skipping those the conversation already uses. */
function idMaker(messages: Message[]): () => string {
  const used = new Set<string>();
  for (const message of messages) {
    if (message.role === 'assistant') for (const call of callsOf(message)) used.add(call.id);
    if (message.role === 'tool') for (const result of message.parts) used.add(result.callId);
  }
  let count = 0;
  return () => {
    let id: string;
    do id = `call_${++count}`;
    while (used.has(id));
    return id;
  };
}

function callsOf(message: Extract<Message, { role: 'assistant' }>): ToolCall[] {
  return message.parts.filter((part) => part.type === 'tool-call');
}
