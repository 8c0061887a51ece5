import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createInspector, type Inspector } from '../observability/inspector.js';
import type { InspectorEvent } from '../observability/inspector-shapes.js';
import { type Answers, Channel } from './channel.js';
import { createWorkerInspector, type InspectedWorker, SharedInspector } from './shared-inspector.js';

/** Workers and a primary process in this one, with real inspectors. */
function stage(count: number, keep = 3) {
  const joined: InspectedWorker[] = [];
  const shared = new SharedInspector(() => joined);
  const workers = Array.from({ length: count }, (_, at) => {
    const [a, b] = [new EventEmitter(), new EventEmitter()];
    const answers: Record<string, Answers[string]> = {};
    const to = (other: EventEmitter) => (message: object) => other.emit('message', structuredClone(message));
    const inside = new Channel(Object.assign(a, { send: to(b) }), answers);
    const own = createInspector(keep);
    const { view, answers: more } = createWorkerInspector(own, inside);
    Object.assign(answers, more);
    const worker: InspectedWorker = {
      number: at + 1,
      channel: new Channel(
        Object.assign(b, { send: to(a) }),
        shared.answersFor(() => worker),
      ),
    };
    joined.push(worker);
    return { own, view, worker };
  });
  return { shared, joined, workers };
}

async function exchange(own: Inspector | undefined, id: string): Promise<void> {
  own?.begin({ id, api: 'chat' })?.end?.({ status: 200 });
  // Times of exchanges have milliseconds.
  await new Promise((tell) => setTimeout(tell, 2));
}

const settled = () => new Promise((tell) => setTimeout(tell, 5));

describe('the inspectors of several workers', () => {
  it('list the last exchanges of all, the newest first, and find each', async () => {
    const { workers } = stage(2);
    for (const [at, id] of ['a', 'b', 'c', 'd', 'e'].entries()) await exchange(workers[at % 2]?.own, id);
    for (const { view } of workers) {
      expect((await view.list()).map(({ id }) => id)).toEqual(['e', 'd', 'c']);
      expect(await view.get('d')).toMatchObject({ id: 'd', status: 200 });
      expect(await view.get('nothing')).toBeUndefined();
    }
  });

  it('tell exchanges with the same id apart', async () => {
    const { workers } = stage(2);
    await exchange(workers[0]?.own, 'same');
    await exchange(workers[1]?.own, 'same');
    const [newer, older] = (await workers[0]?.view.list()) ?? [];
    expect([newer?.id, older?.id]).toEqual(['same', 'same~w1']);
    expect(await workers[0]?.view.get('same')).toMatchObject({ time: newer?.time });
    expect(await workers[1]?.view.get('same~w1')).toMatchObject({ id: 'same~w1', time: older?.time });
  });

  it('send live events of all to those who watch, of workers that start later, too, and only then', async () => {
    const { shared, joined, workers } = stage(3);
    const late = joined.pop() as InspectedWorker;
    const seen: InspectorEvent[] = [];
    const leave = workers[0]?.view.subscribe((event) => seen.push(event));
    joined.push(late);
    shared.join(late);
    for (const { own } of workers) await exchange(own, 'x');
    await settled();
    expect(seen.map(({ type }) => type)).toEqual(Array(3).fill(['exchange-begin', 'exchange-end']).flat());
    leave?.();
    await exchange(workers[1]?.own, 'y');
    await settled();
    expect(seen).toHaveLength(6);
  });

  it('go on without one that has ended', async () => {
    const { joined, shared, workers } = stage(2);
    await exchange(workers[0]?.own, 'a');
    await exchange(workers[1]?.own, 'b');
    joined[1]?.channel.close();
    shared.leave(joined[1] as InspectedWorker);
    expect((await workers[0]?.view.list())?.map(({ id }) => id)).toEqual(['a']);
  });
});
