// Events in batches: those that arrived in one piece of the network are passed on together. Consumers outside see
// events one by one. Inside, each layer passes a batch in one turn of the event loop: one turn for each event would cost
// more than the event.

const BATCHES = Symbol('batches');

/** Ended by `return`, as a generator is. */
export type Batches<T> = AsyncIterator<T[], unknown>;

interface Batched<T> extends AsyncIterable<T> {
  [BATCHES]: Batches<T>;
}

/** Gives events one by one to any consumer, and batches to `batchesOf`. They can be read once. */
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

/** Gives the batches of events made by `fromBatches`; of other events, each one as a batch. */
export function batchesOf<T>(events: AsyncIterable<T>): Batches<T> {
  return BATCHES in events ? (events as Batched<T>)[BATCHES] : singles(events);
}

/** Gives the same events; an error that they throw is replaced by what `change` makes of it. */
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

/** Gives what `change` makes of each event; the events themselves while it is not `needed`. */
export function mapEvents<T>(
  events: AsyncIterable<T>,
  change: (event: T) => T,
  needed = () => true,
): AsyncIterable<T> {
  const batches = batchesOf(events);
  const changed = (step: IteratorResult<T[], unknown>): IteratorResult<T[], unknown> =>
    step.done || !needed() ? step : { done: false, value: step.value.map(change) };
  return fromBatches({
    next: () => batches.next().then(changed),
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
