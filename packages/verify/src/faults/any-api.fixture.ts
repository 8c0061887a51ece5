// Where the three APIs have the same thing in the JSON of an answer: calls, ids, arguments, the word for the end.

import type { Fault } from '../stand-in.fixture.js';

// biome-ignore lint/suspicious/noExplicitAny: the JSON of an answer, of any API
export type Json = any;

/** Calls of the chat API, whole or in pieces. */
const chatCalls = ({ choices }: Json): Json[] => {
  const [choice] = choices ?? [];
  return choice?.delta?.tool_calls ?? choice?.message?.tool_calls ?? [];
};

/** The blocks of a message, whole or as they start. */
export const blocksIn = ({ content, content_block }: Json): Json[] =>
  [...(Array.isArray(content) ? content : []), content_block].filter(Boolean);

/** The items of a response, whole, as they come, and at the end of its stream. */
export const itemsIn = ({ output, response, item }: Json): Json[] =>
  [...(output ?? []), ...(response?.output ?? []), item].filter(Boolean);

/** Changes all ids of calls; undefined takes them away. */
export function eachId(change: (id: string) => string | undefined): Pick<Fault, 'json'> {
  const set = (call: Json, key: string) => {
    if (call[key] !== undefined) call[key] = change(call[key]);
  };
  return {
    json(value) {
      for (const call of chatCalls(value)) set(call, 'id');
      for (const block of blocksIn(value)) if (block.type === 'tool_use') set(block, 'id');
      for (const item of itemsIn(value)) if (item.type === 'function_call') set(item, 'call_id');
      return value;
    },
  };
}

/** Changes all names of calls; undefined takes them away. */
export function eachName(change: (name: string) => string | null | undefined): Pick<Fault, 'json'> {
  const set = (call: Json) => {
    if (call?.name) call.name = change(call.name);
  };
  return {
    json(value) {
      for (const call of chatCalls(value)) set(call.function);
      for (const block of blocksIn(value)) if (block.type === 'tool_use') set(block);
      for (const item of itemsIn(value)) if (item.type === 'function_call') set(item);
      return value;
    },
  };
}

/** Changes all texts of arguments, whole and in pieces. Whole messages of Anthropic have values instead. */
export function eachArguments(change: (text: string) => string): Pick<Fault, 'json'> {
  const set = (holder: Json, key: string) => {
    if (typeof holder?.[key] === 'string' && holder[key] !== '') holder[key] = change(holder[key]);
  };
  return {
    json(value) {
      for (const call of chatCalls(value)) set(call.function, 'arguments');
      for (const item of itemsIn(value)) set(item, 'arguments');
      if (value.type?.startsWith?.('response.function_call_arguments')) {
        set(value, 'arguments');
        set(value, 'delta');
      }
      set(value.delta, 'partial_json');
      return value;
    },
  };
}

/** Changes the word for why the answer ended. */
export function eachFinish(change: (word: string) => string | null | undefined): Pick<Fault, 'json'> {
  const set = (holder: Json, key: string) => {
    if (typeof holder?.[key] === 'string') holder[key] = change(holder[key]);
  };
  return {
    json(value) {
      set(value.choices?.[0], 'finish_reason');
      set(value, 'stop_reason');
      set(value.delta, 'stop_reason');
      for (const one of [value, value.response]) if (one?.object === 'response') set(one, 'status');
      return value;
    },
  };
}

/** Changes every count of tokens. */
export function eachUsage(change: (usage: Json) => Json): Pick<Fault, 'json'> {
  return {
    json(value) {
      for (const one of [value, value.message, value.response]) if (one?.usage) one.usage = change(one.usage);
      return value;
    },
  };
}

/** The same fault in streams alone, or in whole answers alone. */
export function oneWay(fault: Fault, streamed: boolean): Fault {
  const { request, events, json, text, neverStreams, type } = fault;
  return {
    ...(request && { request: (given) => (given.stream === streamed ? request(given) : given) }),
    ...(events && {
      events: (given, asked) => (asked.stream === streamed ? events(given, asked) : given),
    }),
    ...(json && {
      json: (value, isStream, asked) => (isStream === streamed ? json(value, isStream, asked) : value),
    }),
    ...(text && {
      text: (given, isStream, asked) => (isStream === streamed ? text(given, isStream, asked) : given),
    }),
    ...(neverStreams && streamed && { neverStreams }),
    ...(type !== undefined && streamed && { type }),
  };
}

/** Changes the blocks or items of a type. */
export const each = (
  list: (value: Json) => Json[],
  type: string,
  change: (one: Json) => void,
): Pick<Fault, 'json'> => ({
  json(value) {
    for (const one of list(value)) if (one.type === type) change(one);
    return value;
  },
});
