// Faults in the words of the Messages API.

import type { Fault } from '../stand-in.fixture.js';
import { blocksIn, each, type Json } from './any-api.fixture.js';
import type { NamedFault } from './named-fault.fixture.js';

const MESSAGE_ERROR = '{"type": "error", "error": {"type": "api_error", "message": "boom"}}';

/** Changes one event of streams. */
const eventOf = (type: string, change: (event: Json) => Json): Pick<Fault, 'json'> => ({
  json: (value, streamed) => (streamed && value.type === type ? change(value) : value),
});

/** Puts every event of a block's start behind the delta that follows it. */
function lateStarts(text: string): string {
  return text.replace(/(event: content_block_start\n.*\n\n)(event: content_block_delta\n.*\n\n)/g, '$2$1');
}

export const messagesFaults: Record<string, NamedFault> = {
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
  'message_start comes twice': {
    fails: ['stream-order'],
    ...eventOf('message_start', (event) => [event, event]),
  },
  'message_delta is missing': { fails: ['stream-order'], ...eventOf('message_delta', () => undefined) },
  'blocks start after their first delta': {
    fails: ['stream-order'],
    text: (text, streamed) => (streamed ? lateStarts(text) : text),
  },
  'blocks have no start': { fails: ['stream-order'], ...eventOf('content_block_start', () => undefined) },
  'blocks have no stop': { fails: ['stream-order'], ...eventOf('content_block_stop', () => undefined) },
  'inputs come as text': {
    fails: ['stream-order'],
    ...eventOf('content_block_delta', ({ delta, ...event }) => {
      const { partial_json: text } = delta;
      return { ...event, delta: text === undefined ? delta : { type: 'text_delta', text } };
    }),
  },
};
