import { EventEmitter } from 'node:events';
import { ApiError, UsageError } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { type Answers, Channel } from './channel.js';

/** Two ends of a channel, whose messages are copied as between processes. */
function pair(here: Answers, there: Answers): [Channel, Channel, { cut(): void }] {
  const [a, b] = [new EventEmitter(), new EventEmitter()];
  const sendTo = (other: EventEmitter) => (message: object) =>
    other.emit('message', structuredClone(message));
  const left = new Channel(Object.assign(a, { send: sendTo(b) }), here);
  const right = new Channel(Object.assign(b, { send: sendTo(a) }), there);
  return [left, right, { cut: () => [a, b].map((end) => end.emit('disconnect')) }];
}

describe('a channel', () => {
  it('answers questions of both sides, many at once', async () => {
    const twice = (value: number) => Promise.resolve(2 * value);
    const [left, right] = pair({ twice }, { twice });
    const asked = Array.from({ length: 50 }, (_, at) => (at % 2 ? left : right).ask<number>('twice', at));
    expect(await Promise.all(asked)).toEqual(asked.map((_, at) => 2 * at));
  });

  it('passes on errors of the classes that callers know', async () => {
    const fails: Answers = {
      api: () => Promise.reject(new ApiError('overloaded', 'Later.', { retryAfter: 3 })),
      usage: () => {
        throw new UsageError('bad-options', 'Not so.');
      },
      system: () => Promise.reject(Object.assign(new Error('taken'), { code: 'EADDRINUSE' })),
    };
    const [left] = pair({}, fails);
    await expect(left.ask('api')).rejects.toBeInstanceOf(ApiError);
    await expect(left.ask('api')).rejects.toMatchObject({
      code: 'overloaded',
      message: 'Later.',
      retryAfter: 3,
    });
    await expect(left.ask('usage')).rejects.toBeInstanceOf(UsageError);
    await expect(left.ask('system')).rejects.toMatchObject({ code: 'EADDRINUSE', message: 'taken' });
  });

  it('gives up on a question after its time, and on all when the other process ends', async () => {
    const never: Answers = { never: () => new Promise(() => {}) };
    const [left, , ends] = pair({}, never);
    await expect(left.ask('never', undefined, 1)).rejects.toThrow('no answer to never within 1 ms');
    const open = left.ask('never');
    ends.cut();
    await expect(open).rejects.toThrow('the other process has ended');
    await expect(left.ask('never')).rejects.toThrow('the other process has ended');
    left.tell('never');
  });
});
