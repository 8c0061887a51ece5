// Links calls and their results: by id, or by order where ids are missing.

import { isConstant } from './constants.js';
import type { Message, ToolCall, ToolResult } from './conversation.js';
import { ofType } from './frozen-lists.js';
import { isLinked } from './link-names.js';
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
    const message = isConstant(given) && !isLinked(given) ? copied(given) : given;
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
  return ofType(message.parts, 'tool-call');
}
