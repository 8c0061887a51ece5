import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { giveBackAfterPeaks } from './give-back.js';

let server: EventEmitter;
let given: number;

beforeEach(() => {
  vi.useFakeTimers();
  server = new EventEmitter();
  given = 0;
  giveBackAfterPeaks(server as Server, () => {
    given++;
  });
});
afterEach(() => {
  vi.useRealTimers();
});

function open(connections: number): EventEmitter[] {
  const sockets = Array.from({ length: connections }, () => new EventEmitter());
  for (const socket of sockets) server.emit('connection', socket);
  return sockets;
}

function peak(connections = 256): void {
  for (const socket of open(connections)) socket.emit('close');
}

const seconds = (count: number) => vi.advanceTimersByTime(1000 * count);

describe('the memory of a peak', () => {
  it('is given back after half a minute of quiet, and what was held longer a little later', () => {
    peak();
    seconds(30);
    expect(given).toBe(0);
    seconds(2);
    expect(given).toBe(1);
    seconds(60);
    expect(given).toBe(2);
  });

  it('is kept where there were few connections', () => {
    peak(255);
    seconds(60);
    expect(given).toBe(0);
  });

  it('is kept while peaks follow each other, for five minutes', () => {
    for (let at = 0; at <= 300; at += 20) {
      peak();
      seconds(20);
      expect(given).toBe(0);
    }
    peak();
    seconds(2);
    expect(given).toBe(1);
  });

  it('is not given back in the middle of the next peak', () => {
    peak();
    seconds(20);
    const sockets = open(300);
    seconds(60);
    expect(given).toBe(0);
    for (const socket of sockets) socket.emit('close');
    seconds(32);
    expect(given).toBe(1);
  });
});
