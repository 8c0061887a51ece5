import { describe, expect, it } from 'vitest';
import { EventReader, eventsOf } from './sse.js';

const text =
  'event: parse\ndata: {"a":1}\n\n: ping\n\ndata: one\ndata: two\r\n\ndata:tight\n\ndata: [DONE]\n\n';
const events = [
  { event: 'parse', data: '{"a":1}' },
  { event: undefined, data: 'one\ntwo' },
  { event: undefined, data: 'tight' },
  { event: undefined, data: '[DONE]' },
];

describe('the reader of server-sent events', () => {
  it('gives the same events however the text is cut', () => {
    for (let size = 1; size <= text.length; size++) {
      const reader = new EventReader();
      const read = [];
      for (let at = 0; at < text.length; at += size) read.push(...reader.feed(text.slice(at, at + size)));
      expect(read).toEqual(events);
    }
  });

  it('gives no event that lacks its end', () => {
    expect(new EventReader().feed('data: half\n')).toEqual([]);
  });

  it('reads bytes that are cut inside a character, and ends the request of a loop that is left', async () => {
    const bytes = new TextEncoder().encode('data: Zürich 😀\n\ndata: more\n\n');
    let ended = false;
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytes.slice(at, ++at)),
      cancel: () => {
        ended = true;
      },
    });
    for await (const { data } of eventsOf(body)) {
      expect(data).toBe('Zürich 😀');
      break;
    }
    expect(ended).toBe(true);
  });
});
