// Faults in the words of the Responses API.

import type { Fault } from '../stand-in.fixture.js';
import { each, itemsIn, type Json } from './any-api.fixture.js';
import type { NamedFault } from './named-fault.fixture.js';

/** Changes one event of streams. */
const eventOf = (type: string, change: (event: Json) => Json): Pick<Fault, 'json'> => ({
  json: (value, streamed) => (streamed && value.type === `response.${type}` ? change(value) : value),
});

/** The places in which a stream has a call. */
const places = ['output_item.added', 'output_item.done', 'completed'] as const;

/** Changes the calls, or the messages, of one place. */
const itemOf = (place: string, type: string, change: (item: Json) => void): NamedFault => ({
  fails: ['stream-order'],
  ...eventOf(place, (event) => {
    for (const item of itemsIn(event)) if (item.type === type) change(item);
    return event;
  }),
});

const changed = (text: string) => text.replace(/[a-z]/, 'Z');

/** Leaves the first piece of the second call out. */
function withoutPiece(): Pick<Fault, 'json'> {
  const lost = new WeakSet<object>();
  return {
    json(value, streamed, request) {
      const isFirst =
        streamed &&
        value.type === 'response.function_call_arguments.delta' &&
        value.output_index === 1 &&
        !lost.has(request);
      if (!isFirst) return value;
      lost.add(request);
      return undefined;
    },
  };
}

/** Gives all texts the type of the chat API, in streams alone or everywhere. */
function eachPart(everywhere: boolean): Pick<Fault, 'json'> {
  return {
    json(value, streamed) {
      if (!streamed && !everywhere) return value;
      const parts = itemsIn(value).flatMap(({ content }: Json) => content ?? []);
      for (const part of [...parts, value.part].filter(Boolean))
        if (part.type === 'output_text') part.type = 'text';
      return value;
    },
  };
}

export const responsesFaults: Record<string, NamedFault> = {
  'streams have no end': {
    fails: ['stream-order'],
    json: (value) => (value.type === 'response.completed' ? undefined : value),
  },
  'calls have no id': {
    fails: ['ids-unique'],
    ...each(itemsIn, 'function_call', (call) => delete call.call_id),
  },
  'arguments are values': {
    fails: ['arguments-json'],
    ...each(
      ({ output = [] }) => output,
      'function_call',
      (call) => {
        call.arguments = JSON.parse(call.arguments);
      },
    ),
  },
  'the status is missing': {
    fails: ['finish-reason'],
    json(value) {
      for (const one of [value, value.response]) if (one?.object === 'response') delete one.status;
      return value;
    },
  },
  'messages have no role': { fails: ['answers'], ...each(itemsIn, 'message', (one) => delete one.role) },
  'requests with tools get an error with the status 200': {
    fails: ['errors'],
    text(text, streamed, { conversation }) {
      if (conversation.tools.length === 0) return text;
      return streamed ? 'data: {"type": "error", "message": "boom"}\n\n' : '{"error": {"message": "boom"}}';
    },
  },
  ...Object.fromEntries(
    places.flatMap((place) => [
      [
        `calls have another id in ${place}`,
        itemOf(place, 'function_call', (call) => {
          call.call_id = `${call.call_id}x`;
        }),
      ],
      [
        `calls have another name in ${place}`,
        itemOf(place, 'function_call', (call) => {
          call.name = `${call.name}x`;
        }),
      ],
    ]),
  ),
  ...Object.fromEntries(
    ['output_item.done', 'completed'].flatMap((place) => [
      [
        `calls have other arguments in ${place}`,
        itemOf(place, 'function_call', (call) => {
          call.arguments = changed(call.arguments);
        }),
      ],
      [
        `messages have another text in ${place}`,
        itemOf(place, 'message', (message) => {
          for (const part of message.content) part.text = changed(part.text);
        }),
      ],
    ]),
  ),
  ...Object.fromEntries(
    ['output_item.done', 'completed'].flatMap((place) =>
      ['function_call', 'message'].map((type) => [
        `items of the type ${type} have another id in ${place}`,
        itemOf(place, type, (item) => {
          item.id = `${item.id}x`;
        }),
      ]),
    ),
  ),
  ...Object.fromEntries(
    ['function_call_arguments.delta', 'function_call_arguments.done', 'output_text.delta'].map((type) => [
      `${type} names another item`,
      {
        fails: ['stream-order'],
        ...eventOf(type, (event) => ({ ...event, item_id: `${event.item_id}x` })),
      } satisfies NamedFault,
    ]),
  ),
  'texts have the type text': { fails: ['answers'], ...eachPart(true) },
  'texts have the type text when it streams': { fails: ['stream-order'], ...eachPart(false) },
  'the parts of streams alone have the type text': {
    fails: ['stream-order'],
    ...eventOf('content_part.added', ({ part, ...event }) => ({ ...event, part: { ...part, type: 'text' } })),
  },
  'calls have other arguments in function_call_arguments.done': {
    fails: ['stream-order'],
    ...eventOf('function_call_arguments.done', (event) => ({
      ...event,
      arguments: changed(event.arguments),
    })),
  },
  'texts are others in output_text.done': {
    fails: ['stream-order'],
    ...eventOf('output_text.done', (event) => ({ ...event, text: changed(event.text) })),
  },
  'texts are others in content_part.done': {
    fails: ['stream-order'],
    ...eventOf('content_part.done', ({ part, ...event }) => ({
      ...event,
      part: { ...part, text: changed(part.text) },
    })),
  },
  'deltas break letters of several bytes': {
    fails: ['stream-order'],
    ...eventOf('output_text.delta', (event) => ({
      ...event,
      delta: event.delta.replace(/[^\0-\x7f]|I am/u, '\ufffd'),
    })),
  },
  'the second call loses its first delta': { fails: ['stream-order'], ...withoutPiece() },
  'arguments have no deltas': {
    fails: ['stream-order'],
    ...eventOf('function_call_arguments.delta', () => undefined),
  },
  'texts have no deltas': { fails: ['stream-order'], ...eventOf('output_text.delta', () => undefined) },
};
