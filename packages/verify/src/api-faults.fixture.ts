// Faults in the words of the other two APIs.

import type { ApiName } from '@dragoman/core/wire';
import { blocksIn, itemsIn } from './any-api.fixture.js';
import type { NamedFault } from './faults.fixture.js';
import type { Fault } from './stand-in.fixture.js';

// biome-ignore lint/suspicious/noExplicitAny: the JSON of an answer
type Json = any;

const each = (
  list: (value: Json) => Json[],
  type: string,
  change: (one: Json) => void,
): Pick<Fault, 'json'> => ({
  json(value) {
    for (const one of list(value)) if (one.type === type) change(one);
    return value;
  },
});

const MESSAGE_ERROR = '{"type": "error", "error": {"type": "api_error", "message": "boom"}}';

const messages: Record<string, NamedFault> = {
  'events are not named': {
    fails: ['stream-order'],
    text: (text, streamed) => (streamed ? text.replace(/^event: .*\n/gm, '') : text),
  },
  'the stop reason is missing': {
    fails: ['finish-reason'],
    json(value) {
      for (const one of [value, value.delta]) if (one && 'stop_reason' in one) one.stop_reason = null;
      return value;
    },
  },
  'calls have no id': { fails: ['ids-unique'], ...each(blocksIn, 'tool_use', (call) => delete call.id) },
  'inputs are texts': {
    fails: ['arguments-json'],
    ...each(
      ({ content }) => content ?? [],
      'tool_use',
      (call) => {
        call.input = JSON.stringify(call.input);
      },
    ),
  },
  'messages have no role': {
    fails: ['answers'],
    json(value) {
      for (const one of [value, value.message]) if (one) delete one.role;
      return value;
    },
  },
  'the content is a text': {
    fails: ['answers'],
    json(value) {
      const [block, ...more] = Array.isArray(value.content) ? value.content : [];
      return block?.type === 'text' && more.length === 0 ? { ...value, content: block.text } : value;
    },
  },
  'requests with tools get an error with the status 200': {
    fails: ['errors'],
    text(text, streamed, { conversation }) {
      if (conversation.tools.length === 0) return text;
      return streamed ? `event: error\ndata: ${MESSAGE_ERROR}\n\n` : MESSAGE_ERROR;
    },
  },
};

const responses: Record<string, NamedFault> = {
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
};

export const apiFaults: [api: ApiName, name: string, fault: NamedFault][] = [
  ...Object.entries(messages).map(([name, fault]): [ApiName, string, NamedFault] => [
    'anthropic-messages',
    name,
    fault,
  ]),
  ...Object.entries(responses).map(([name, fault]): [ApiName, string, NamedFault] => [
    'openai-responses',
    name,
    fault,
  ]),
];
