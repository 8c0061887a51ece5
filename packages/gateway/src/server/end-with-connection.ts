import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Answers that wait their turn, by the connection they wait for. */
const waiting = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Tells an answer that waits behind another one on its connection when that breaks. Node tells only the one whose turn
 * it is: the others would hold their places, and their upstreams, for ever.
 */
export function endWithConnection(outgoing: ServerResponse, connection: Socket): void {
  const queue = waiting.get(connection) ?? watch(connection);
  queue.add(outgoing);
  outgoing.once('close', () => queue.delete(outgoing));
}

function watch(connection: Socket): Set<ServerResponse> {
  const queue = new Set<ServerResponse>();
  waiting.set(connection, queue);
  connection.once('close', () => {
    for (const outgoing of queue) {
      if (outgoing.socket !== null) continue;
      outgoing.destroy();
      outgoing.emit('close');
    }
  });
  return queue;
}
