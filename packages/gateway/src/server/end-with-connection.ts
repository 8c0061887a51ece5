import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Pipelined answers that wait for their turn, by connection. */
const waiting = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Notifies a pipelined answer when its connection breaks. Node notifies only the current one: the others would keep
 * their slots and their upstream requests forever.
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
