// A streamed answer on its way to the client. Its last event waits until the response is kept, so that a client that
// asks on at once finds it.

import { isObject } from '@dragoman/core';
import type { Body } from './items.js';
import { type ResponseFrame, ResponseFrames } from './response-frames.js';

export interface ResponseChange {
  /** What is shown of a response that is being made. */
  show(response: Body): Body;
  /** The response is complete: kept, and as it is shown then. */
  keep(response: Body): Promise<Body>;
}

const last = ['response.completed', 'response.incomplete', 'response.failed'];

export function keepStream(
  body: ReadableStream<Uint8Array>,
  change: ResponseChange,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const frames = new ResponseFrames();
  const utf8 = new TextDecoder();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (let sent = false; !sent; ) {
          const { done, value } = await reader.read();
          const pieces = frames.feed(done ? utf8.decode() : utf8.decode(value, { stream: true }));
          if (done) pieces.push(frames.finish());
          for (const piece of pieces) {
            const text = typeof piece === 'string' ? piece : await changed(piece, change);
            if (text !== '') controller.enqueue(encoder.encode(text));
            sent ||= text !== '';
          }
          if (done) return controller.close();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

async function changed(frame: ResponseFrame, change: ResponseChange): Promise<string> {
  const data = dataOf(frame.text);
  if (!isObject(data) || !isObject(data.response)) return frame.text;
  const shown = last.includes(frame.name) ? await change.keep(data.response) : change.show(data.response);
  if (shown === data.response) return frame.text;
  return `event: ${frame.name}\ndata: ${JSON.stringify({ ...data, response: shown })}\n\n`;
}

function dataOf(text: string): unknown {
  const line = text.split('\n').find((each) => each.startsWith('data:')) ?? '';
  try {
    return JSON.parse(line.slice('data:'.length));
  } catch {
    return undefined;
  }
}
