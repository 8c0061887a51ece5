// A request as the app takes it, from a Node server or a worker.

import { type Incoming, incomingOf } from '@dragoman/core/bridge';

export interface AppRequest extends Incoming {
  /** Calls `leave` once, when the client disconnects before its answer is over; at once if it already has. */
  onLeave(leave: (reason: unknown) => void): void;
}

/** Wraps a web `Request`. Where it has no host header, the host is taken from its URL. */
export function appRequestOf(request: Request): AppRequest {
  const incoming = incomingOf(request);
  const { signal } = request;
  return {
    ...incoming,
    header: (name) => incoming.header(name) ?? (name === 'host' ? new URL(request.url).host : null),
    onLeave(leave) {
      if (signal.aborted) leave(signal.reason);
      else signal.addEventListener('abort', () => leave(signal.reason), { once: true });
    },
  };
}
