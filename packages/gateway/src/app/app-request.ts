// A request as the app takes it, from a Node server or a worker.

import { type Incoming, incomingOf } from '@dragoman/core/bridge';

export interface AppRequest extends Incoming {
  /** Called once, when the client goes before its answer is over; at once if it has gone already. */
  onLeave(leave: (reason: unknown) => void): void;
}

/** In a worker. The host is in the address where it is in no header. */
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
