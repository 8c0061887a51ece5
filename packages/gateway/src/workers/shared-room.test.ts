import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Answers, Channel } from './channel.js';
import { createWorkerRoom, SharedRoom, type WorkerRoom } from './shared-room.js';

/** Workers and a primary process in this one. Each worker counts its own requests. */
function stage(requests: number, count: number) {
  const joined: { number: number; channel: Channel }[] = [];
  const shared = new SharedRoom(() => joined);
  shared.divide(requests, count);
  return Array.from({ length: count }, (_, at) => {
    const [a, b] = [new EventEmitter(), new EventEmitter()];
    const to = (other: EventEmitter) => (message: object) => other.emit('message', structuredClone(message));
    const answers: Record<string, Answers[string]> = {};
    const inside = new Channel(Object.assign(a, { send: to(b) }), answers);
    const room = createWorkerRoom(inside, shared.partOf(at + 1), () => worker.open);
    const worker: { open: number; room: WorkerRoom } = { open: 0, room };
    Object.assign(answers, room.answers);
    const outside = new Channel(Object.assign(b, { send: to(a) }), shared.answersFor(at + 1));
    joined.push({ number: at + 1, channel: outside });
    return worker;
  });
}

it('a request is refused if and only if all workers together are full', async () => {
  const step = fc.record({ worker: fc.nat(2), enters: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 3, max: 12 }),
      fc.array(step, { maxLength: 60 }),
      async (requests, steps) => {
        const workers = stage(requests, 3);
        const open = () => workers.reduce((sum, worker) => sum + worker.open, 0);
        let refused = false;
        for (const { worker: at, enters } of steps) {
          const worker = workers[at];
          if (!worker || refused) break;
          if (!enters) {
            worker.open = Math.max(0, worker.open - 1);
            continue;
          }
          while (worker.open >= worker.room.limit() && (await worker.room.more()));
          if (worker.open < worker.room.limit()) worker.open++;
          // After a refusal a worker does not ask for a while.
          else refused = true;
          expect(refused).toBe(refused && open() === requests);
          expect(open()).toBeLessThanOrEqual(requests);
        }
        expect(workers.reduce((sum, { room }) => sum + room.limit(), 0)).toBe(requests);
      },
    ),
    { numRuns: 100 },
  );
});
