// Events that arrived together, passed on together. To whoever looks from outside they are events one by one; inside,
// each layer hands on what came in one piece of the network in one turn, where one turn an event would cost more than
// the event.

const BATCHES = Symbol('batches');

interface Batched<T> extends AsyncIterable<T> {
  [BATCHES](): AsyncGenerator<T[]>;
}

/** Events one by one, for who asks for them; batches, for who knows. To be read once. */
export function fromBatches<T>(batches: AsyncGenerator<T[]>): AsyncIterable<T> {
  const events: Batched<T> = {
    [BATCHES]: () => batches,
    async *[Symbol.asyncIterator]() {
      for await (const batch of batches) yield* batch;
    },
  };
  return events;
}

/** The batches of events that have them, else each event as one. */
export function batchesOf<T>(events: AsyncIterable<T>): AsyncIterator<T[], unknown> {
  return BATCHES in events ? (events as Batched<T>)[BATCHES]() : singles(events);
}

function singles<T>(events: AsyncIterable<T>): AsyncIterator<T[], unknown> {
  const iterator = events[Symbol.asyncIterator]();
  const alone = (result: IteratorResult<T>): IteratorResult<T[], unknown> =>
    result.done ? result : { done: false, value: [result.value] };
  return {
    next: () => iterator.next().then(alone),
    async return() {
      await iterator.return?.();
      return { done: true, value: undefined };
    },
  };
}
