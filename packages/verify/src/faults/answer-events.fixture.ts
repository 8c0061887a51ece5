// Changes of answers and of requests that faults are made of, in the words of all APIs.

import { type AnswerEvent, all, type Message, type ModelRequest } from '@dragoman/core';
import { Writer } from '@dragoman/core/internal';
import type { Fault } from '../stand-in.fixture.js';

export type ChangeEvents = (events: AnswerEvent[]) => AnswerEvent[];

type Calls = { id: string; name: string; raw: string }[];

/** Takes the calls out of the events. */
export function callsIn(events: readonly AnswerEvent[]): Calls {
  const calls: Calls = [];
  for (const event of events) {
    if (event.type === 'call-start') calls.push({ id: event.id, name: event.name, raw: '' });
    else if (event.type === 'call-delta') {
      const call = calls.find(({ id }) => id === event.id);
      if (call) call.raw += event.text;
    }
  }
  return calls;
}

export const isCall = ({ type }: AnswerEvent) => type.startsWith('call-');

const SMALL = 12;

/** Puts other calls in the place of those that came, in small pieces or whole. */
export function withCalls(events: AnswerEvent[], calls: Calls, pieces = SMALL): AnswerEvent[] {
  const written = calls.flatMap(({ id, name, raw }): AnswerEvent[] => [
    { type: 'call-start', id, name },
    ...(raw.match(new RegExp(`[^]{1,${pieces}}`, 'g')) ?? []).map((text) => ({
      type: 'call-delta' as const,
      id,
      text,
    })),
    { type: 'call-end', id },
  ]);
  return before(
    events.filter((event) => !isCall(event)),
    written,
  );
}

export function before(events: AnswerEvent[], more: AnswerEvent[]): AnswerEvent[] {
  const at = events.findIndex(({ type }) => type === 'finish');
  return at < 0 ? [...events, ...more] : [...events.slice(0, at), ...more, ...events.slice(at)];
}

export const ended = (events: AnswerEvent[], reason: 'stop' | 'tool-calls'): AnswerEvent[] =>
  events.map((event) => (event.type === 'finish' ? { type: 'finish', reason } : event));

export function mapCalls(change: (call: Calls[number], at: number) => Calls[number]): ChangeEvents {
  return (events) => withCalls(events, callsIn(events).map(change));
}

export function mapInput(change: (text: string) => string): ChangeEvents {
  return mapCalls((call) => ({ ...call, raw: JSON.stringify(deep(JSON.parse(call.raw || '{}'), change)) }));
}

function deep(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => deep(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, deep(one, change)]));
}

/** Writes the calls as text, in a dialect. */
export function leaked(
  name: string,
  type: 'text-delta' | 'reasoning-delta' = 'text-delta',
  change = (text: string) => text,
): Fault {
  return {
    events(events, request) {
      const calls = callsIn(events);
      if (calls.length === 0) return events;
      const text = change(spelled(name, calls, request));
      return ended(
        before(
          events.filter((event) => !isCall(event)),
          [{ type, text }],
        ),
        'stop',
      );
    },
  };
}

export function spelled(name: string, calls: Calls, { conversation }: ModelRequest): string {
  const dialect = all.find(name);
  const out = new Writer(dialect.markers);
  const parts = calls.map((call) => ({
    type: 'tool-call' as const,
    id: call.id,
    name: call.name,
    input: JSON.parse(call.raw || '{}'),
  }));
  dialect.render.calls(out, parts, { tools: conversation.tools, afterText: false });
  return out.text;
}

export const has = (
  { conversation }: ModelRequest,
  test: (message: Message, at: number, all: Message[]) => boolean,
) => conversation.messages.some(test);

export const refuse = (status: number, message: string) => ({ status, message });

/** Forgets the tool choice, where it is this one. */
export function ignores(kind: 'none' | 'required' | 'named'): NonNullable<Fault['request']> {
  return (request) => {
    const { toolChoice } = request.conversation;
    const is = typeof toolChoice === 'object' ? 'named' : toolChoice;
    if (is !== kind) return request;
    const { extra: _, ...rest } = request;
    return { ...rest, conversation: { ...request.conversation, toolChoice: 'auto' } };
  };
}

export const isPlain = (events: readonly AnswerEvent[]) => !events.some(isCall);

/** Changes the pieces of text. */
export const eachText = (change: (text: string, at: number) => string): ChangeEvents => {
  return (events) => {
    let at = 0;
    return events.flatMap((event): AnswerEvent[] => {
      if (event.type !== 'text-delta') return [event];
      const text = change(event.text, at++);
      return text === '' ? [] : [{ ...event, text }];
    });
  };
};

export const textIn = (events: readonly AnswerEvent[]) =>
  events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');

export const without = (
  request: ModelRequest,
  isLeft: (message: Message, at: number, all: Message[]) => boolean,
): ModelRequest => {
  const { conversation } = request;
  return { ...request, conversation: { ...conversation, messages: conversation.messages.filter(isLeft) } };
};
