// A thread as the other end of a channel.

import { EventEmitter } from 'node:events';
import { type MessagePort, type TransferListItem, Worker } from 'node:worker_threads';
import type { Peer } from './channel.js';

/** A thread or a port. Bytes are moved and not copied. */
export class ThreadPeer extends EventEmitter implements Peer {
  constructor(readonly other: Worker | MessagePort) {
    super();
    other.on('message', (message) => this.emit('message', message));
    other.on(other instanceof Worker ? 'exit' : 'close', () => this.emit('disconnect'));
  }

  send(message: { value?: unknown }): void {
    const { body } = (message.value ?? {}) as { body?: unknown };
    const moved = Array.isArray(body) ? (body as Uint8Array[]) : [];
    // Two pieces may lie in one buffer, and a buffer can be moved once only.
    const buffers = new Set(moved.map(({ buffer }) => buffer as TransferListItem));
    this.other.postMessage(message, [...buffers]);
  }
}
