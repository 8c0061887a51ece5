// Connections that were handed to a worker in the moment of its death. node:cluster waits for the worker to take a
// connection, and does not notice that it never will: the client would wait, too. Such a connection goes to another
// worker. It is whole, since a worker says that it takes a connection before it reads from it.
//
// The messages of node:cluster are its own: {cmd: 'NODE_CLUSTER', act: 'newconn', seq} with the connection, and
// {cmd: 'NODE_CLUSTER', ack: seq, accepted}. Should they ever change, nothing is noted here, and nothing is done.

import type { EventEmitter } from 'node:events';

/** A worker's process, as node:cluster uses it. */
export interface WorkerChannel extends EventEmitter {
  readonly connected: boolean;
  send(message: unknown, connection?: unknown, ...rest: unknown[]): boolean;
}

interface Connection {
  close(): void;
}

interface ClusterMessage {
  cmd?: unknown;
  act?: unknown;
  seq?: unknown;
  ack?: unknown;
}

const COMMAND = 'NODE_CLUSTER';
/** Milliseconds between two looks whether everything that a worker said before its end was read. */
const LOOK = 20;

/** `hasOthers`: whether another worker listens. If none does, the connection is closed, and the client can try again. */
export function returnLostConnections(channel: WorkerChannel, hasOthers: () => boolean): void {
  const waiting = new Map<unknown, Connection>();
  const send = channel.send.bind(channel);
  channel.send = (message, connection, ...rest) => {
    const { cmd, act, seq } = (message ?? {}) as ClusterMessage;
    if (cmd === COMMAND && act === 'newconn' && connection) waiting.set(seq, connection as Connection);
    return send(message, connection, ...rest);
  };
  channel.on('internalMessage', ({ ack }: ClusterMessage) => waiting.delete(ack));
  endWithoutConnection(channel);
  // Everything that the worker said was read before this event, and node:cluster has removed the worker.
  channel.once('disconnect', () => {
    for (const [seq, connection] of waiting) {
      if (hasOthers()) channel.emit('internalMessage', { cmd: COMMAND, ack: seq, accepted: false });
      else connection.close();
    }
    waiting.clear();
  });
}

/** Node itself emits no `disconnect` for a process that ended before it took a connection. */
function endWithoutConnection(channel: WorkerChannel): void {
  let over = false;
  channel.once('disconnect', () => {
    over = true;
  });
  channel.once('exit', function look() {
    if (channel.connected) setTimeout(look, LOOK).unref();
    else if (!over) channel.emit('disconnect');
  });
}
