// Events that arrived together, passed on together. From outside they are events one by one; inside,
// each layer hands on what came in one piece of the network in one turn, where one turn an event would cost more than
// the event.

const BATCHES = Symbol('batches');

/** To be ended by `return`, as a generator is. */
export type Batches<T> = AsyncIterator<T[], unknown>;

interface Batched<T> extends AsyncIterable<T> {
  [BATCHES]: Batches<T>;
}

/** Events one by one for any consumer; batches for `batchesOf`. To be read once. */
export function fromBatches<T>(batches: Batches<T>): AsyncIterable<T> {
  const events: Batched<T> = {
    [BATCHES]: batches,
    async *[Symbol.asyncIterator]() {
      try {
        for (let step = await batches.next(); !step.done; step = await batches.next()) yield* step.value;
      } finally {
        await batches.return?.();
      }
    },
  };
  return events;
}

/** The batches of events that have them, else each event as one. */
export function batchesOf<T>(events: AsyncIterable<T>): Batches<T> {
  return BATCHES in events ? (events as Batched<T>)[BATCHES] : singles(events);
}

/** The same events; what ends them as an error is changed on its way. */
export function withErrors<T>(
  events: AsyncIterable<T>,
  change: (error: unknown) => unknown,
): AsyncIterable<T> {
  const batches = batchesOf(events);
  const fail = (error: unknown) => {
    throw change(error);
  };
  return fromBatches({
    next: () => batches.next().catch(fail),
    return: () => leave(batches),
  });
}

function singles<T>(events: AsyncIterable<T>): Batches<T> {
  const iterator = events[Symbol.asyncIterator]();
  return {
    next: async () => {
      const step = await iterator.next();
      return step.done ? step : { done: false, value: [step.value] };
    },
    return: () => leave(iterator),
  };
}

async function leave(iterator: AsyncIterator<unknown, unknown>): Promise<IteratorReturnResult<unknown>> {
  await iterator.return?.();
  return { done: true, value: undefined };
}
