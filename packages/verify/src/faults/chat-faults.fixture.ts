// Faults in the words of the chat API, most of them of streams alone, and what is odd but right.

import type { ModelRequest } from '@dragoman/core';
import type { Fault } from '../stand-in.fixture.js';
import type { NamedFault } from './named-fault.fixture.js';

// biome-ignore lint/suspicious/noExplicitAny: the JSON of an answer
type Json = any;

/** The message, or the delta of an event. */
const messageIn = (value: Json): Json => value.choices?.[0]?.delta ?? value.choices?.[0]?.message ?? {};
const callsIn = (value: Json): Json[] => messageIn(value).tool_calls ?? [];

type Place = 'everywhere' | 'stream' | 'whole';

/** Changes the message of every answer, of streams alone, or of whole answers alone. */
function message(change: (message: Json) => void, place: Place = 'everywhere'): Pick<Fault, 'json'> {
  return {
    json(value, streamed) {
      if (place === 'everywhere' || streamed === (place === 'stream')) change(messageIn(value));
      return value;
    },
  };
}

const calls = (change: (call: Json) => void, place?: Place) =>
  message(({ tool_calls }) => {
    for (const call of tool_calls ?? []) change(call);
  }, place);

const argumentsText = (change: (text: string) => string, place?: Place) =>
  calls(({ function: called }) => {
    if (typeof called?.arguments === 'string') called.arguments = change(called.arguments);
  }, place);

const content = (change: (text: string) => unknown, place?: Place) =>
  message((one) => {
    if (one.content) one.content = change(one.content);
  }, place);

const finish = (
  change: (reason: string) => string | null,
  place: Place = 'everywhere',
): Pick<Fault, 'json'> => ({
  json(value, streamed) {
    const [choice] = value.choices ?? [];
    const isMeant = place === 'everywhere' || streamed === (place === 'stream');
    if (isMeant && choice?.finish_reason) choice.finish_reason = change(choice.finish_reason);
    return value;
  },
});

/** Remembers something of each stream. */
function perRequest<T>(make: () => T): (request: ModelRequest) => T {
  const known = new WeakMap<ModelRequest, T>();
  return (request) => {
    const value = known.get(request) ?? make();
    known.set(request, value);
    return value;
  };
}

const sameAnswer = (fails: NamedFault['fails'], fault: Fault): NamedFault => ({
  fails,
  by: ['openai-chat'],
  ...fault,
});
const isStreamed = ({ stream }: ModelRequest) => stream;
const hasTools = ({ conversation }: ModelRequest) => conversation.tools.length > 0;
const refuse = (status: number, text: string) => ({ status, message: text });

const ERROR = '{"error": {"message": "boom", "code": 500}}';
const innerError = (isMeant: (request: ModelRequest) => boolean): Fault => ({
  text: (text, streamed, request) =>
    !isMeant(request) ? text : streamed ? `data: ${ERROR}\n\ndata: [DONE]\n\n` : ERROR,
});

/** Changes the choice of streams, or of whole answers. */
const choiceOf = (change: (choice: Json) => Json, inStreams: boolean): Pick<Fault, 'json'> => ({
  json: (value, streamed) =>
    streamed === inStreams && value.choices ? { ...value, choices: value.choices.map(change) } : value,
});

/** Keeps what a stream said, and adds something before its end. */
function atEnd(said: (value: Json) => Json[], more: (all: Json[]) => Json): Fault {
  const heard = perRequest<Json[]>(() => []);
  return {
    json(value, streamed, request) {
      if (!streamed) return value;
      heard(request).push(...said(value));
      const [choice] = value.choices ?? [];
      const all = heard(request);
      if (!choice?.finish_reason || all.length === 0) return value;
      return [{ ...value, choices: [{ ...choice, finish_reason: null, delta: more(all) }] }, value];
    },
  };
}

const names = perRequest<Map<number, string>>(() => new Map());
const lateNames = perRequest<Map<number, string>>(() => new Map());
const heldIds = perRequest<Map<number, string>>(() => new Map());
let count = 0;

export const chatFaults: Record<string, NamedFault> = {
  'arguments are encoded twice': {
    fails: ['arguments-json'],
    json: (value, streamed) => {
      if (streamed) return value;
      for (const { function: called } of value.choices?.[0]?.message?.tool_calls ?? [])
        called.arguments = JSON.stringify(called.arguments);
      return value;
    },
  },
  'arguments are values': {
    fails: ['arguments-json'],
    json: (value, streamed) => {
      if (streamed) return value;
      for (const { function: called } of value.choices?.[0]?.message?.tool_calls ?? [])
        called.arguments = JSON.parse(called.arguments);
      return value;
    },
  },
  'streams have no [DONE]': {
    fails: ['stream-order'],
    text: (text) => text.replace('data: [DONE]\n\n', ''),
  },
  'all calls have the index 0': {
    fails: ['stream-order'],
    json: (value, streamed) => {
      for (const call of (streamed && value.choices?.[0]?.delta?.tool_calls) || []) call.index = 0;
      return value;
    },
  },
  'more tokens are cached than were sent': {
    fails: ['prefix-cache'],
    json: (value) =>
      value.usage
        ? { ...value, usage: { ...value.usage, prompt_tokens_details: { cached_tokens: 10_000_000 } } }
        : value,
  },
  // --- calls of streams
  'names are repeated in every piece': sameAnswer(['stream-order'], {
    json(value, streamed, request) {
      for (const { index, function: called } of streamed ? callsIn(value) : []) {
        if (called.name) names(request).set(index, called.name);
        else called.name = names(request).get(index);
      }
      return value;
    },
  }),
  'ids come with the second piece': sameAnswer(['stream-order'], {
    json(value, streamed, request) {
      for (const call of streamed ? callsIn(value) : []) {
        const held = heldIds(request).get(call.index);
        if (call.id) {
          heldIds(request).set(call.index, call.id);
          delete call.id;
        } else if (held) {
          call.id = held;
          heldIds(request).delete(call.index);
        }
      }
      return value;
    },
  }),
  'ids change with every piece': sameAnswer(
    ['stream-order'],
    calls((call) => {
      call.id = `call_${++count}`;
    }, 'stream'),
  ),
  'indexes are texts': sameAnswer(
    ['stream-order'],
    calls((call) => {
      if (call.index !== undefined) call.index = String(call.index);
    }, 'stream'),
  ),
  'pieces have no index': sameAnswer(
    ['stream-order'],
    calls((call) => delete call.index, 'stream'),
  ),
  'arguments are sent again at the end of a stream': sameAnswer(
    ['arguments-json'],
    atEnd(
      (value) => callsIn(value),
      (all) => {
        const [index] = all.map((call) => call.index);
        const mine = all.filter((call) => call.index === index);
        return {
          tool_calls: [
            { index, function: { arguments: mine.map((one) => one.function.arguments ?? '').join('') } },
          ],
        };
      },
    ),
  ),
  'arguments are values when it streams': sameAnswer(['arguments-json'], {
    ...atEnd(
      () => [],
      () => ({}),
    ),
    ...calls(({ function: called }) => {
      if (called?.arguments) called.arguments = { piece: called.arguments };
    }, 'stream'),
  }),
  'quotes of arguments have entities': sameAnswer(
    ['arguments-json'],
    argumentsText((text) => text.replaceAll('"', '&quot;')),
  ),
  'arguments are in the words of Python': sameAnswer(
    ['arguments-json'],
    argumentsText(
      (text) => text.replaceAll('true', 'True').replaceAll('false', 'False').replaceAll('"', "'"),
      'whole',
    ),
  ),
  'the finish reason is function_call': sameAnswer(
    ['finish-reason'],
    finish((reason) => (reason === 'tool_calls' ? 'function_call' : reason)),
  ),
  // --- shapes
  'messages have no role': sameAnswer(
    ['answers'],
    message((one) => delete one.role),
  ),
  'messages have the role model': sameAnswer(
    ['answers'],
    message((one) => {
      if (one.role) one.role = 'model';
    }),
  ),
  'streams have no role': sameAnswer(
    ['stream-order'],
    message((one) => delete one.role, 'stream'),
  ),
  'the content is a list': sameAnswer(
    ['answers'],
    content((text) => [{ type: 'text', text }]),
  ),
  'the content of streams is a list': sameAnswer(
    ['stream-order'],
    content((text) => [{ type: 'text', text }], 'stream'),
  ),
  'streams have messages in the place of deltas': sameAnswer(
    ['stream-order'],
    choiceOf(({ delta, ...choice }) => ({ ...choice, message: delta }), true),
  ),
  'answers have deltas in the place of messages': sameAnswer(
    ['answers'],
    choiceOf(({ message: given, ...choice }) => ({ ...choice, delta: given }), false),
  ),
  'pieces of calls have no function': sameAnswer(
    ['stream-order'],
    calls((call) => {
      Object.assign(call, call.function);
      delete call.function;
    }, 'stream'),
  ),
  'names come with the second piece': sameAnswer(['stream-order'], {
    json(value, streamed, request) {
      for (const { index, function: called } of streamed ? callsIn(value) : []) {
        const held = lateNames(request).get(index);
        if (called.name) {
          lateNames(request).set(index, called.name);
          delete called.name;
        } else if (held) {
          called.name = held;
          lateNames(request).delete(index);
        }
      }
      return value;
    },
  }),
  'calls are sent again whole at the end of a stream': sameAnswer(
    ['stream-order'],
    atEnd(
      (value) => structuredClone(callsIn(value)),
      (all) => {
        const [first] = all;
        const mine = all.filter((call) => call.index === first.index);
        const joined = mine.map((one) => one.function.arguments ?? '').join('');
        return { tool_calls: [{ ...first, function: { ...first.function, arguments: joined } }] };
      },
    ),
  ),
  'every event of a stream has a finish reason': sameAnswer(
    ['stream-order'],
    choiceOf((choice) => ({ ...choice, finish_reason: 'stop' }), true),
  ),
  'calls have no type': sameAnswer(
    ['calls-tool'],
    calls((call) => delete call.type),
  ),
  'calls have no type when it streams': sameAnswer(
    ['stream-order'],
    calls((call) => delete call.type, 'stream'),
  ),
  'calls stand in function_call': sameAnswer(
    ['calls-tool'],
    message((one) => {
      if (!one.tool_calls) return;
      one.function_call = one.tool_calls[0].function;
      delete one.tool_calls;
    }),
  ),
  'calls stand in function_call when it streams': sameAnswer(
    ['stream-equals-whole'],
    message((one) => {
      if (!one.tool_calls) return;
      one.function_call = one.tool_calls[0].function;
      delete one.tool_calls;
    }, 'stream'),
  ),
  // --- errors
  'requests with tools get an error with the status 200': sameAnswer(['errors'], innerError(hasTools)),
  'streams get an error with the status 200': sameAnswer(['errors'], innerError(isStreamed)),
  'whole answers with tools are an error with the status 200': sameAnswer(
    ['errors'],
    innerError((request) => hasTools(request) && !isStreamed(request)),
  ),
  'parallel calls are refused': sameAnswer(['parallel-calls'], {
    request: (request) =>
      request.settings.parallelCalls === undefined
        ? request
        : refuse(400, 'unknown field parallel_tool_calls'),
  }),
  // --- text
  'usage stands in the choice': sameAnswer(['usage'], {
    json: ({ usage, ...value }) => {
      if (value.choices?.[0]) value.choices[0].usage = usage;
      return value;
    },
  }),
  'streams have nothing but an end': sameAnswer(['stream-order'], {
    text: (text, streamed) => (streamed ? 'data: [DONE]\n\n' : text),
  }),
  // --- conversations
  'only the last result reaches the model': sameAnswer(['result-accepted'], {
    request: ({ conversation, ...request }) => {
      const last = conversation.messages.findLastIndex(({ role }) => role === 'tool');
      const messages = conversation.messages.map((one, at) =>
        one.role === 'tool' && at < last
          ? { ...one, parts: one.parts.map(({ extra: _, ...part }) => ({ ...part, output: 'Done.' })) }
          : one,
      );
      return { ...request, conversation: { ...conversation, messages } };
    },
  }),
};

/** What clients take: no check fails. */
export const oddities: Record<string, Fault> = {
  'lines end with CRLF': { text: (text, streamed) => (streamed ? text.replaceAll('\n', '\r\n') : text) },
  'streams have comments': {
    text: (text, streamed) =>
      streamed ? `: hello\n\n${text.replaceAll('\n\n', '\n\n: keep-alive\n\n')}` : text,
  },
  'data has no space': { text: (text, streamed) => (streamed ? text.replaceAll('data: ', 'data:') : text) },
  'streams have ids and times': {
    text: (text, streamed) => (streamed ? text.replaceAll('data: ', 'id: 1\nretry: 5\ndata: ') : text),
  },
  'bodies begin with a line break': { text: (text, streamed) => (streamed ? text : `\n${text}`) },
  'letters are escaped': {
    text: (text) =>
      text.replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
  },
  'every event has its usage': {
    json: (value, streamed) =>
      streamed && value.choices?.length
        ? { ...value, usage: { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 } }
        : value,
  },
  'streams begin with an event without choices': {
    text: (text, streamed) =>
      streamed && text.includes('chat.completion')
        ? `data: {"choices":[],"prompt_filter_results":[]}\n\n${text}`
        : text,
  },
  'calls have an empty text beside them': message((one) => {
    if (one.tool_calls && one.content === null) one.content = '';
  }),
  'texts have an empty list of calls beside them': message((one) => {
    if (one.content) one.tool_calls = [];
  }),
  'texts have null for calls': message((one) => {
    if (one.content) Object.assign(one, { tool_calls: null, function_call: null, refusal: null });
  }),
  'ids and types are repeated': {
    json(value, streamed, request) {
      for (const call of streamed ? callsIn(value) : []) {
        const held = heldIds(request).get(call.index) ?? call.id;
        heldIds(request).set(call.index, held);
        Object.assign(call, { id: held, type: 'function' });
      }
      return value;
    },
  },
  'arguments have spaces': argumentsText((text) => JSON.stringify(JSON.parse(text), null, 2), 'whole'),
};
