import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { returnLostConnections, type WorkerChannel } from './lost-connections.js';

function setUp(hasOthers: boolean) {
  const sent: unknown[][] = [];
  const channel = Object.assign(new EventEmitter(), {
    connected: true,
    send: (...given: unknown[]) => sent.push(given) > 0,
  }) as WorkerChannel;
  const answers: unknown[] = [];
  channel.on('internalMessage', (message) => answers.push(message));
  returnLostConnections(channel, () => hasOthers);
  const closed: string[] = [];
  const hand = (seq: number) =>
    channel.send(
      { cmd: 'NODE_CLUSTER', act: 'newconn', key: 'k', seq },
      { close: () => closed.push(`c${seq}`) },
    );
  const take = (ack: number) => channel.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: true });
  return { channel, sent, answers, closed, hand, take };
}

it('a connection that a worker did not take before it ended goes to another one', () => {
  const { channel, sent, answers, closed, hand, take } = setUp(true);
  hand(1);
  take(1);
  hand(2);
  channel.send({ cmd: 'NODE_CLUSTER', act: 'disconnect', seq: 3 });
  channel.send('ours');
  expect(sent).toHaveLength(4);
  answers.length = 0;
  channel.emit('disconnect');
  expect(answers).toEqual([{ cmd: 'NODE_CLUSTER', ack: 2, accepted: false }]);
  expect(closed).toEqual([]);
});

it('goes to another one also if Node does not report the end of its channel', () => {
  const { channel, answers, hand } = setUp(true);
  let ends = 0;
  channel.on('disconnect', () => ends++);
  hand(7);
  Object.assign(channel, { connected: false });
  channel.emit('exit');
  expect(answers).toEqual([{ cmd: 'NODE_CLUSTER', ack: 7, accepted: false }]);
  expect(ends).toBe(1);
});

it('is closed if there is no other worker', () => {
  const { channel, closed, hand, take } = setUp(false);
  hand(1);
  hand(2);
  take(1);
  channel.emit('disconnect');
  expect(closed).toEqual(['c2']);
});
