// Tells an exchange its connection, and that it has ended, before undici hears of it. Undici's parser throws into the
// process if it is paused then (`assert(!this.paused)` in 7.30 and in 8.12): an upstream that closes its connection while
// the client is slow would end the gateway.

import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

export interface EndListener {
  /** The request is written to this connection, which carries no other. */
  connected(socket: Socket): void;
  /** All bytes of the connection were delivered. */
  connectionEnded(): void;
}

let starting: EndListener | undefined;
const listeners = new WeakMap<Socket, EndListener>();

/** To be called in `onRequestStart`: undici names the connection right after it, in the same turn. */
export function hearConnectionEnd(listener: EndListener): void {
  starting = listener;
}

subscribe('undici:client:sendHeaders', (message) => {
  if (!starting) return;
  const { socket } = message as { socket: Socket };
  if (!listeners.has(socket)) socket.prependListener('end', () => listeners.get(socket)?.connectionEnded());
  listeners.set(socket, starting);
  starting.connected(socket);
  starting = undefined;
});
