// The live events of the inspector as server-sent events. A slow client loses events and is told how many: it cannot
// slow down an exchange or fill the memory.

import { EventQueue } from './event-queue.js';
import type { InspectorView } from './inspector.js';
import type { InspectorEvent } from './inspector-shapes.js';

export interface InspectorStreamOptions {
  /** The number of events queued for a slow client. Default 1,000. */
  queue?: number;
  /** And their size in characters. Default 4 Mi. */
  queueSize?: number;
  /** Milliseconds of silence after which a comment shows that the stream is alive. Default 15,000; 0: never. */
  heartbeat?: number;
  /** Registers a callback that ends the stream after the queue is read; returns the function that unregisters it. Default: the stream never ends. */
  onEnd?: (end: () => void) => () => void;
  /** The events to send. Default: all. */
  only?: (event: InspectorEvent) => boolean;
}

/** Subscribes when it is first read: the answer to a HEAD request has a body that is neither read nor cancelled. */
export function inspectorStream(
  inspector: Pick<InspectorView, 'subscribe'>,
  options: InspectorStreamOptions = {},
): ReadableStream<Uint8Array> {
  const { queue = 1000, queueSize = 4 * 1024 * 1024, heartbeat = 15_000, onEnd, only } = options;
  const utf8 = new TextEncoder();
  const waiting = new EventQueue(queue, queueSize, written);
  let wake: (() => void) | undefined;
  let leave: (() => void) | undefined;
  let over = false;
  const next = (): Promise<string> => {
    const text = waiting.take();
    if (text !== undefined || over) return Promise.resolve(text ?? '');
    return new Promise((resolve) => {
      const beat = () => {
        wake = undefined;
        resolve(': ping\n\n');
      };
      const timer = heartbeat > 0 ? setTimeout(beat, heartbeat) : undefined;
      wake = () => {
        clearTimeout(timer);
        resolve(waiting.take() ?? '');
      };
    });
  };
  const begin = () => {
    const rouse = () => {
      wake?.();
      wake = undefined;
    };
    const unsubscribe = inspector.subscribe((event) => {
      if (only?.(event) === false) return;
      waiting.add(event);
      rouse();
    });
    const forget = onEnd?.(() => {
      over = true;
      rouse();
    });
    leave = () => {
      unsubscribe();
      forget?.();
    };
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!leave) begin();
        const text = await next();
        if (text !== '') controller.enqueue(utf8.encode(text));
        else if (over) {
          leave?.();
          controller.close();
        }
      },
      cancel() {
        leave?.();
        wake?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** JSON has no line breaks, so one line of data does. */
function written(event: InspectorEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
