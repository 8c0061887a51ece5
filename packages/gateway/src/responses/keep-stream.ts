// Stores the response of a streamed answer. The last event waits until the response is stored, so that a client's next
// request finds it.

import type { ReplyStream } from '@dragoman/core/bridge';
import { isObject } from '@dragoman/core/internal';
import type { Body } from './items.js';
import { type ResponseFrame, ResponseFrames } from './response-frames.js';

export interface ResponseChange {
  /** Gives a response that is not complete yet as the client is to see it. */
  show(response: Body): Body;
  /** Stores a complete response, and gives it as the client is to see it. */
  keep(response: Body): Promise<Body>;
}

const last = ['response.completed', 'response.incomplete', 'response.failed'];

export function keepStream(stream: ReplyStream, change: ResponseChange): ReplyStream {
  const frames = new ResponseFrames();
  let waiting: (string | ResponseFrame)[] = [];
  let over = false;
  return {
    async next() {
      for (;;) {
        const text = await taken(waiting, change);
        if (text !== '') return text;
        if (over) return undefined;
        const arrived = await stream.next();
        over = arrived === undefined;
        waiting = arrived === undefined ? [frames.finish()] : frames.feed(arrived);
      }
    },
    cancel: (reason) => stream.cancel(reason),
  };
}

/** Takes the text that need not wait; or the one frame whose response is stored first. */
async function taken(waiting: (string | ResponseFrame)[], change: ResponseChange): Promise<string> {
  let text = '';
  for (let piece = waiting[0]; piece !== undefined; piece = waiting[0]) {
    const keeps = typeof piece !== 'string' && last.includes(piece.name);
    if (keeps && text !== '') return text;
    waiting.shift();
    text += typeof piece === 'string' ? piece : await changed(piece, change);
    if (keeps) return text;
  }
  return text;
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
