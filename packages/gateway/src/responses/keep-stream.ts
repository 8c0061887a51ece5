// A streamed answer on its way to the client. Its last event waits until the response is kept, so that a client that
// asks on at once finds it.

import type { ReplyStream } from '@dragoman/core/bridge';
import { isObject } from '@dragoman/core/internal';
import type { Body } from './items.js';
import { type ResponseFrame, ResponseFrames } from './response-frames.js';

export interface ResponseChange {
  /** What is shown of a response that is being made. */
  show(response: Body): Body;
  /** The response is complete: kept, and as it is shown then. */
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

/** As much as needs no waiting; or the one frame that is kept first. */
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
