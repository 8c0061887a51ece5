// What is told of a queue on standard error, in `dragoman convert --queue` and `dragoman worker`.

import type { QueueEvent } from '@dragoman/convert/queue';
import { note } from '../terminal.js';
import { visibleText } from '../visible-text.js';

/** On a line of its own: the progress is drawn anew below it. Text of other machines cannot act on the terminal. */
export function noteQueueEvent(event: QueueEvent): void {
  noteAside(textOf(event));
}

export function noteShards(made: number): void {
  noteAside(`${made} ${made === 1 ? 'shard' : 'shards'} converted`);
}

function noteAside(text: string): void {
  const clear = process.stderr.isTTY === true ? '\r\u001b[K' : '';
  note(clear + visibleText(text));
}

function textOf(event: QueueEvent): string {
  switch (event.type) {
    case 'redis-lost':
      return `Redis at ${event.address} does not answer; waiting for it`;
    case 'redis-back':
      return `Redis at ${event.address} answers again`;
    case 'queue-error':
      return `queue: ${event.message}`;
    case 'no-worker':
      return 'no worker has come further for a while; start some: dragoman worker --queue redis://…';
    case 'waiting': {
      const { address, threads } = event;
      return `waiting for shards at ${address}, ${threads} ${threads === 1 ? 'thread' : 'threads'}; Ctrl-C ends`;
    }
    case 'shard-failed':
      return `a shard failed: ${event.message}`;
  }
}
